import { CHANGE_WINDOW_HOURS, CHANGES_PER_WINDOW } from './constants.ts';

interface VoteRejectionResponse {
  status: 401 | 403 | 404 | 409 | 429;
  /** The `error` of the response. */
  code: string;
  message: string;
  /**
   * What the page does with the vote. rejected: it can never count. returned: it does not count now. renamed: the
   * project is another one since it was seen. no_session: it needs a new sign-in.
   */
  fate: 'rejected' | 'returned' | 'renamed' | 'no_session';
}

/**
 * Each reason why a vote, or the change of one, does not count (R7, R8, R57, R60), by its name in the database's types
 * vote_outcome and change_outcome. A new reason is a label there, the condition in its SQL function, and a row here.
 */
export const VOTE_REJECTIONS = {
  no_session: { status: 401, code: 'not_signed_in', message: 'User not logged in', fate: 'no_session' },
  other_session: { status: 403, code: 'not_yours', message: 'You are signed in as another user', fate: 'returned' },
  no_project: { status: 404, code: 'project_not_found', message: 'Project not found', fate: 'rejected' },
  own_project: { status: 403, code: 'own_project', message: 'You cannot vote on your own project', fate: 'rejected' },
  already_voted: { status: 409, code: 'already_voted', message: 'Already voted on this project', fate: 'rejected' },
  expired: { status: 409, code: 'project_expired', message: 'This project has expired', fate: 'rejected' },
  renamed: {
    status: 409,
    code: 'renamed',
    message: 'You saw another name, picture, handle or website. Look at it again before you vote.',
    fate: 'renamed',
  },
  window_full: { status: 429, code: 'vote_limit', message: 'Rate limit reached', fate: 'returned' },
  no_vote: {
    status: 404,
    code: 'vote_not_found',
    message: 'You have not voted on this project in its present listing period',
    fate: 'rejected',
  },
  changed_today: {
    status: 409,
    code: 'changed_today',
    message: 'You have changed or confirmed this vote today',
    fate: 'rejected',
  },
  too_soon: {
    status: 409,
    code: 'changed_too_soon',
    message: 'A vote can be changed one minute after it was given',
    fate: 'returned',
  },
  too_many: {
    status: 429,
    code: 'change_limit',
    message: `You have changed or confirmed ${CHANGES_PER_WINDOW} votes in the last ${CHANGE_WINDOW_HOURS} hours. This one stays.`,
    fate: 'returned',
  },
} as const satisfies Record<string, VoteRejectionResponse>;

export type VoteRejection = keyof typeof VOTE_REJECTIONS;
export type VoteFate = VoteRejectionResponse['fate'];
