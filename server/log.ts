import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/** JSON lines on stdout, without cookies and tokens. */
export function createLog(level: Config['logLevel']): Logger {
  return pino({ level, redact: ['req.headers.cookie', 'req.headers.authorization', 'req.headers["x-admin-token"]'] });
}

/** Whether each request has lines of its own; they cost a tenth of a vote. */
export const logsRequests = (level: Config['logLevel']): boolean => ['info', 'debug', 'trace'].includes(level);
