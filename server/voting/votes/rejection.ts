import { VOTE_REJECTIONS, type VoteRejection } from '#shared/vote-rejections.ts';
import { HttpError } from '#server/kit/http/errors.ts';

/** The response to a vote that does not count. */
export function rejection(reason: VoteRejection, retryAfterS?: number): HttpError {
  const { status, code, message } = VOTE_REJECTIONS[reason];
  return new HttpError(status, code, message, retryAfterS === undefined ? {} : { retryAfterS });
}
