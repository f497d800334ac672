/**
 * SQLSTATE classes: connection, shutting down or starting up, no room or connections left. Also a write to a read-only
 * database: a primary that has just handed over its role, before the connections to it notice.
 */
export const AWAY_SQLSTATE = /^(?:08|57P|53|25006)/;
const AWAY_SYSTEM_CODES = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN ENOTFOUND'.split(' '),
);
/** Errors of the driver without a code. */
const AWAY_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

/** Whether a statement failed because PostgreSQL cannot be used now, and not because the statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return AWAY_SQLSTATE.test(code) || AWAY_SYSTEM_CODES.has(code);
  return AWAY_MESSAGE.test(error.message);
}
