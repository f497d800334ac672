import type { Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;

/**
 * The address of a request with malformed escapes (/%E0%A4%A) taken literally: it then names nothing that exists, and gets the
 * response of everything that does not, page or data, instead of the framework's own.
 */
export function literalUrl({ url: target = '/' }: Pick<IncomingMessage, 'url'>): string {
  // RFC 9112, 3.2.2: a client may send the absolute form, and the server must accept it.
  const url = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM, '') || '/';
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

export function sendFrameworkError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const [status, code, message] =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? ([404, 'not_found', 'There is no such endpoint'] as const)
      : ([400, 'bad_request', 'The request could not be read'] as const);
  void reply.code(status).header('Cache-Control', 'no-store').send({ error: code, message });
}

const UNREADABLE: Record<string, [status: string, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request took too long to arrive'],
};

/** Answers data that is not HTTP on the bare connection, and ends it. */
export function sendUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const fallback = ['400 Bad Request', 'bad_request', 'The request could not be read'] as const;
  const [status, code, message] = UNREADABLE[error.code ?? ''] ?? fallback;
  const body = JSON.stringify({ error: code, message });
  const head = `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nConnection: close`;
  socket.end(`${head}\r\n\r\n${body}`);
}
