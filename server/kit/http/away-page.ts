import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Nothing under these is a page, so a miss gets a data response. */
const NO_PAGES = ['/api/', '/assets/', '/images/', '/og/', '/log/', '/badge/', '/embed/', '/coins/'];

export const isPageAddress = (url: string): boolean => !NO_PAGES.some((prefix) => url.startsWith(prefix));

interface Failure {
  error: string;
  message: string;
}

/** Proxies send this file unchanged when no server responds. */
const PAGE = readFileSync(new URL('../../site/away.html', import.meta.url), 'utf8');
const TITLE = 'We are back in a moment';
const STYLE = /<style>([^]*)<\/style>/.exec(PAGE)?.[1] ?? '';
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`;

const AGAIN = 'This page tries again automatically; nothing you did is lost.';
const TEXTS: Record<string, [title: string, text: string]> = {
  busy: ['Snapswipe is busy', `Too many people are here at once. ${AGAIN}`],
  rate_limited: ['One moment, please', `Too many requests came from your network. ${AGAIN}`],
  internal: ['Something went wrong', `The mistake is on our side. ${AGAIN}`],
};

const LEAST_S = 5;
const INTERNAL_S = 30;

function pageOf({ error }: Failure, retryAfter: unknown): string {
  const [title, text] = TEXTS[error] ?? [];
  const seconds = Math.max(LEAST_S, Number(retryAfter ?? INTERNAL_S));
  const page = PAGE.replace('content="5"', `content="${seconds}"`);
  return title === undefined ? page : page.replaceAll(TITLE, title).replace(/<p>[^]*<\/p>/, `<p>${text}</p>`);
}

const isNavigation = ({ method, url, headers, routeOptions }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.accept?.includes('text/html') === true &&
  isPageAddress(url) &&
  routeOptions.config.kind !== 'always';

/** Sends a failure of ours that passes, with its status and Retry-After set: as a page to a browser that opens one, else as data. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, body: Failure): FastifyReply {
  if (!isNavigation(request)) return reply.send(body);
  return reply
    .header('Content-Security-Policy', POLICY)
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(pageOf(body, reply.getHeader('retry-after')));
}
