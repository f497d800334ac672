import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config.ts';

/** What is logged of a request. Never its headers, nor what stands behind the path, where tokens of links would be. */
interface LoggedRequest {
  method: string;
  path: string;
  remoteAddress: string | undefined;
}

/** The path of an address: without query and fragment, and without origin where a client sends one. */
const pathOf = (url = ''): string => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';

interface Asked {
  method?: string;
  url?: string;
  ip?: string;
}

const serializers = {
  req: ({ method = '', url, ip }: Asked): LoggedRequest => ({ method, path: pathOf(url), remoteAddress: ip }),
};

/** JSON lines on stdout, or on `destination`: without cookies, tokens and query values. */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const redact = ['req.headers', '*.headers.cookie', '*.headers.authorization', '*.headers["x-admin-token"]'];
  return pino({ level, serializers, redact }, destination ?? pino.destination(1));
}

/** Whether each request has lines of its own; they cost a tenth of a vote. */
export const logsRequests = (level: Config['logLevel']): boolean => ['info', 'debug', 'trace'].includes(level);
