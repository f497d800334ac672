import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { Config } from '../config.ts';
import { createLineLimit } from './line-limit.ts';

/**
 * The logged parts of a request. Never its headers, nor anything after the path, where tokens of links would be; addresses of people only
 * where the operator wants them (R67).
 */
interface LoggedRequest {
  method: string;
  path: string;
  remoteAddress?: string | undefined;
}

const pathOf = (url = ''): string => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';

interface Asked {
  method?: string;
  url?: string;
  ip?: string;
}

const WALLET = /\b0x[0-9a-f]{6,}/gi;

const serializersOf = (logsAddresses: boolean) => ({
  req: ({ method = '', url, ip }: Asked): LoggedRequest =>
    logsAddresses
      ? { method, path: pathOf(url), remoteAddress: ip }
      : { method, path: pathOf(url).replaceAll(WALLET, '0x…') },
});

/** Lines a minute, whatever happens: of requests all together, which are sampled before that, and of each kind of warning and error. */
export const MOST_LINES = { requests: 40_000, each: 20 } as const;

const WARN = pino.levels.values.warn ?? 40;

/** The kind of a line for its limit: lines of requests are one kind, others differ by their message and their error's code. */
function kindOfLine(args: readonly unknown[], level: number): string {
  if (level < WARN) return 'requests';
  const [first, message] = args;
  if (typeof first === 'string') return first;
  const error = first instanceof Error ? first : (first as { err?: { code?: unknown; name?: unknown } } | null)?.err;
  const code = error === undefined ? '' : String(('code' in error && error.code) || error.name);
  return `${String(message)} ${code}`.trim();
}

/** JSON lines on stdout, or on `destination`: without cookies, tokens and query values, and a limited number of each kind in a minute. */
export function createLog(
  { logLevel: level, logsAddresses }: Pick<Config, 'logLevel' | 'logsAddresses'>,
  destination?: DestinationStream,
): Logger {
  const serializers = serializersOf(logsAddresses);
  const redact = ['req.headers', '*.headers.cookie', '*.headers.authorization', '*.headers["x-admin-token"]'];
  const mayWrite = createLineLimit((kind, lines) => log.warn({ kind, lines }, 'lines were left out'));
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, write, lineLevel) {
      const kind = kindOfLine(args, lineLevel);
      if (mayWrite(kind, kind === 'requests' ? MOST_LINES.requests : MOST_LINES.each)) write.apply(this, args);
    },
  };
  const log = pino({ level, serializers, redact, hooks }, destination ?? pino.destination(1));
  return log;
}

/** Lines for each request cost a tenth of a vote. */
export const logsRequests = (level: Config['logLevel']): boolean => ['info', 'debug', 'trace'].includes(level);
