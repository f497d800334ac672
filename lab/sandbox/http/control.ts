import type { IncomingMessage, ServerResponse } from 'node:http';
import { isValidSuiAddress, normalizeSuiAddress } from '@mysten/sui/utils';
import type { Chain } from '../ledger/chain.ts';
import { readBody, sendJson } from './http.ts';

/** Settings that tests may change while the sandbox runs, besides the chain's index delay. */
export interface Controls {
  /** The gRPC port answers UNAVAILABLE. */
  down: boolean;
}

interface ControlRequest {
  readonly indexDelayMs?: number;
  readonly down?: boolean;
  readonly lowestCheckpoint?: number;
  readonly scanLimit?: number;
  readonly names?: ReadonlyMap<string, string>;
}

const LONGEST_DELAY_MS = 10 * 60 * 1000;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * `POST /control {indexDelayMs?, down?, names?, lowestCheckpoint?, scanLimit?}`: applies all of it or, with 400,
 * nothing. Responds with the new state.
 */
export async function applyControl(
  request: IncomingMessage,
  response: ServerResponse,
  chain: Chain,
  controls: Controls,
): Promise<void> {
  if (!isFromHere(request.headers.origin))
    return sendJson(response, 403, {
      error: 'forbidden',
      message: 'only pages of this machine may control the sandbox',
    });
  const wanted = parseControl((await readBody(request)).toString('utf8'));
  if (typeof wanted === 'string') return sendJson(response, 400, { error: 'invalid', message: wanted });
  if (wanted.indexDelayMs !== undefined) chain.indexDelayMs = wanted.indexDelayMs;
  if (wanted.down !== undefined) controls.down = wanted.down;
  if (wanted.lowestCheckpoint !== undefined) chain.lowestCheckpoint = BigInt(wanted.lowestCheckpoint);
  if (wanted.scanLimit !== undefined) chain.scanLimit = wanted.scanLimit;
  for (const [name, address] of wanted.names ?? []) chain.setName(name, address);
  return sendJson(response, 200, {
    indexDelayMs: chain.indexDelayMs,
    down: controls.down,
    lowestCheckpoint: Number(chain.lowestCheckpoint),
    scanLimit: chain.scanLimit,
  });
}

/** Programs send no Origin; a page on the internet that knows this port must not be able to break a demo. */
function isFromHere(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && LOOPBACK_HOSTS.has(new URL(origin).hostname);
}

/** The request, or a text with the reason for rejecting it. */
function parseControl(body: string): ControlRequest | string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return 'the body must be JSON';
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'the body must be an object';
  const fields: Record<string, unknown> = { ...json };
  const { indexDelayMs, down, names, lowestCheckpoint, scanLimit, ...unknown } = fields;
  const [stranger] = Object.keys(unknown);
  if (stranger) return `unknown field ${stranger}`;
  if (indexDelayMs !== undefined && !isDelay(indexDelayMs))
    return `indexDelayMs must be a whole number from 0 to ${LONGEST_DELAY_MS}`;
  if (down !== undefined && typeof down !== 'boolean') return 'down must be true or false';
  if (lowestCheckpoint !== undefined && !isCount(lowestCheckpoint)) return 'lowestCheckpoint must be a whole number';
  if (scanLimit !== undefined && !(isCount(scanLimit) && scanLimit > 0))
    return 'scanLimit must be a whole number above 0';
  const parsedNames = parseNames(names);
  if (typeof parsedNames === 'string') return parsedNames;
  return { indexDelayMs, down, names: parsedNames, lowestCheckpoint, scanLimit };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Whether a value is an index delay that the sandbox accepts. */
export function isDelay(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LONGEST_DELAY_MS;
}

function parseNames(names: unknown): Map<string, string> | string {
  const parsed = new Map<string, string>();
  if (names === undefined) return parsed;
  if (typeof names !== 'object' || names === null) return 'names must map names to addresses';
  for (const [name, value] of Object.entries(names)) {
    if (!/^[a-z0-9.-]+\.sui$/i.test(name)) return `${name} is not a .sui name`;
    const address = normalizeSuiAddress(String(value));
    if (!isValidSuiAddress(address)) return `${String(value)} is not an address`;
    parsed.set(name, address);
  }
  return parsed;
}
