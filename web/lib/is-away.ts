import { ApiError } from './api-error.ts';

/** True for a failure, or its cause, without a response of the server. */
export const isAway = (error: unknown): boolean =>
  error instanceof ApiError ? error.status === 0 : error instanceof Error && isAway(error.cause);
