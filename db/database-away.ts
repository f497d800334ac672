/**
 * SQLSTATE classes: connection, shutting down or starting up, no room or connections left. And a write that met a database which may only
 * be read: a primary that has just handed over its role, before the connections to it have noticed.
 */
export const AWAY_SQLSTATE = /^(?:08|57P|53|25006)/;
const AWAY_SYSTEM_CODES = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN ENOTFOUND'.split(' '),
);
/** What the driver says without a code: a connection that broke under a statement or is silent, or none to be had in time. */
const AWAY_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** Whether a failed statement says that PostgreSQL cannot be used now, rather than that the statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return AWAY_SQLSTATE.test(code) || AWAY_SYSTEM_CODES.has(code);
  return AWAY_MESSAGE.test(error.message);
}
