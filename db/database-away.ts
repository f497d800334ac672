/** SQLSTATE classes of unavailability, and 25006: a write to a primary that has just become a replica. */
export const AWAY_SQLSTATE = /^(?:08|57P|53|25006)/;
const AWAY_SYSTEM_CODES = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EAI_AGAIN ENOTFOUND'.split(' '),
);
/** Errors of the driver without a code. */
const AWAY_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/;

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return AWAY_SQLSTATE.test(code) || AWAY_SYSTEM_CODES.has(code);
  return AWAY_MESSAGE.test(error.message);
}
