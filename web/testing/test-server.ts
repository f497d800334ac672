import { vi } from 'vitest';
import { recordEvent } from '#shared/contract/insights.ts';
import { listNotices } from '#shared/contract/notices.ts';
import { getPayoutBook } from '#shared/contract/payouts.ts';
import type { ResponseOf, EndpointSpec } from '#shared/endpoint.ts';
import { NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { validResponse } from '#shared/testing/valid-response.ts';

export interface SentCall {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  headers: Headers;
}

interface Place {
  nextCursor?: string | undefined;
  total?: number | ((call: SentCall) => number) | undefined;
}

type Respond = (call: SentCall) => Promise<Response>;

type Rejection = { error: string; message: string; field?: string } & Record<string, unknown>;

interface Route {
  endpoint: EndpointSpec;
  respond: Respond;
  calls: SentCall[];
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The values of a path's `{name}` in an address; null for another address. */
function paramsIn(path: string, address: string): Record<string, string> | null {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const match = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(address);
  return match && Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')]));
}

interface PageOf<E extends EndpointSpec> {
  body: ResponseOf<E>;
  nextCursor: string | undefined;
  total: number;
}

/**
 * Stands in for the server in component tests: the page's `fetch` gets responses by the contract. A response that the contract does not
 * allow throws; a call that it would reject, or that has no response, is a violation.
 */
export class TestServer {
  readonly #routes = new Map<string, Route>();
  readonly violations: string[] = [];

  /** Takes the place of `fetch` until vi.unstubAllGlobals(), and of beacons. */
  listen(): void {
    vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => this.#receive(address, init));
    this.respond(recordEvent, { success: true });
    this.respond(listNotices, { unread: 0, notices: [] });
    // Calls of the withdrawals tab, whatever is looked at in it: without a payout coin, nothing of it is shown.
    this.respond(getPayoutBook, {
      hasCoin: false,
      problem: 'none',
      setting: null,
      known: null,
      chain: null,
      paidSnaps: 0,
      approvedSnaps: 0,
      wallets: [],
      restoredAt: null,
    });
    const sendBeacon = (address: string, body: Blob): boolean => {
      void body.text().then((text) => this.#receive(address, { method: 'POST', body: text }));
      return true;
    };
    Object.defineProperty(navigator, 'sendBeacon', { value: sendBeacon, configurable: true });
  }

  #on(endpoint: EndpointSpec, respond: Respond): void {
    const key = `${endpoint.method} ${endpoint.path}`;
    this.#routes.set(key, { endpoint, respond, calls: this.#routes.get(key)?.calls ?? [] });
  }

  respond<E extends EndpointSpec>(
    endpoint: E,
    body: ResponseOf<E> | ((call: SentCall) => ResponseOf<E> | Promise<ResponseOf<E>>),
    { nextCursor, total }: Place = {},
  ): void {
    const make =
      typeof body === 'function' ? (body as (call: SentCall) => ResponseOf<E> | Promise<ResponseOf<E>>) : () => body;
    this.#on(endpoint, async (call) => {
      const text = JSON.stringify(validResponse(endpoint, await make(call)));
      const headers = new Headers(JSON_TYPE);
      if (nextCursor !== undefined) headers.set(NEXT_CURSOR_HEADER, nextCursor);
      if (total !== undefined)
        headers.set(TOTAL_COUNT_HEADER, String(typeof total === 'function' ? total(call) : total));
      return new Response(text, { status: endpoint.status ?? 200, headers });
    });
  }

  /** Like `respond`, for a list in pages: each response has the position of its page. */
  respondInPages<E extends EndpointSpec>(endpoint: E, make: (call: SentCall) => Promise<PageOf<E>> | PageOf<E>): void {
    this.#on(endpoint, async (call) => {
      const { body, nextCursor, total } = await make(call);
      const headers = new Headers({ ...JSON_TYPE, [TOTAL_COUNT_HEADER]: String(total) });
      if (nextCursor !== undefined) headers.set(NEXT_CURSOR_HEADER, nextCursor);
      return new Response(JSON.stringify(validResponse(endpoint, body)), { status: 200, headers });
    });
  }

  /** Rejects a call as the server does (R34): a code, a message, and the field that it concerns. */
  reject(endpoint: EndpointSpec, status: number, body: Rejection, headers: Record<string, string> = {}): void {
    this.#on(
      endpoint,
      async () => new Response(JSON.stringify(body), { status, headers: { ...JSON_TYPE, ...headers } }),
    );
  }

  /** The response of a proxy that does not know the contract. */
  failSilently(endpoint: EndpointSpec, status = 500, headers: Record<string, string> = {}): void {
    this.#on(endpoint, async () => new Response('', { status, headers }));
  }

  lose(endpoint: EndpointSpec): void {
    this.#on(endpoint, () => Promise.reject(new TypeError('Failed to fetch')));
  }

  calls({ method, path }: EndpointSpec): SentCall[] {
    return this.#routes.get(`${method} ${path}`)?.calls ?? [];
  }

  async #receive(address: string, { method = 'GET', body, headers, signal }: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    for (const { endpoint, respond, calls } of this.#routes.values()) {
      const params = endpoint.method === method ? paramsIn(endpoint.path, pathname) : null;
      if (params === null) continue;
      const query = Object.fromEntries(searchParams);
      const call = {
        params,
        query,
        body: JSON.parse(typeof body === 'string' ? body : 'null') as unknown,
        headers: new Headers(headers),
      };
      this.#check(endpoint, call);
      calls.push(call);
      return abortable(respond(call), signal);
    }
    // A Sui node is not there.
    if (!pathname.startsWith('/sui.rpc.')) this.violations.push(`No response to ${method} ${pathname}`);
    throw new TypeError('Failed to fetch');
  }

  #check({ method, path, ...schemas }: EndpointSpec, call: SentCall): void {
    for (const part of ['params', 'query', 'body'] as const) {
      const result = schemas[part]?.safeParse(call[part]);
      if (result?.success === false) this.violations.push(`${method} ${path}, ${part}: ${result.error.message}`);
    }
  }
}

function abortable(response: Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  if (!signal) return response;
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    response.then(resolve, reject);
  });
}
