import pg from 'pg';

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because a row with this key exists; with `constraint`, because of that constraint. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === UNIQUE_VIOLATION &&
  (constraint === undefined || error.constraint === constraint);
