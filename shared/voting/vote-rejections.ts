import { CHANGE_WINDOW_HOURS, CHANGES_PER_WINDOW, UNDO_WINDOW_HOURS, UNDOS_PER_WINDOW } from '../constants.ts';

/**
 * Effect of a rejection on the vote that a page sent. rejected: the vote can never count. returned: it does not count
 * now. renamed: the project has changed since it was seen. no_session: it needs a new sign-in.
 */
export type VoteFate = 'rejected' | 'returned' | 'renamed' | 'no_session';

interface Rejection {
  status: 401 | 403 | 404 | 409 | 429;
  message: string;
  fate: VoteFate;
}

/**
 * Rejections of votes, changes and undos (R7, R8, R46, R57). The codes are values of the database's types vote_outcome,
 * change_outcome and undo_outcome, and the codes of the responses.
 */
export const VOTE_REJECTIONS = {
  not_signed_in: { status: 401, message: 'User not logged in', fate: 'no_session' },
  not_yours: { status: 403, message: 'You are signed in as another user', fate: 'returned' },
  project_not_found: { status: 404, message: 'Project not found', fate: 'rejected' },
  own_project: { status: 403, message: 'You cannot vote on your own project', fate: 'rejected' },
  already_voted: { status: 409, message: 'Already voted on this project', fate: 'rejected' },
  project_expired: { status: 409, message: 'This project has expired', fate: 'rejected' },
  renamed: {
    status: 409,
    message: 'You saw another name, picture, handle or website. Look at it again before you vote.',
    fate: 'renamed',
  },
  vote_limit: { status: 429, message: 'Rate limit reached', fate: 'returned' },
  vote_not_found: {
    status: 404,
    message: 'You have not voted on this project in its present listing period',
    fate: 'rejected',
  },
  changed_today: { status: 409, message: 'You have changed or confirmed this vote today', fate: 'rejected' },
  changed_too_soon: { status: 409, message: 'A vote can be changed one minute after it was given', fate: 'returned' },
  change_limit: {
    status: 429,
    message: `You have changed or confirmed ${CHANGES_PER_WINDOW} votes in the last ${CHANGE_WINDOW_HOURS} hours. This one stays.`,
    fate: 'returned',
  },
  too_late: { status: 409, message: 'The vote can no longer be undone', fate: 'returned' },
  reward_spent: { status: 409, message: 'The vote can no longer be undone: its reward is spent', fate: 'returned' },
  undo_limit: {
    status: 429,
    message: `You have taken back ${UNDOS_PER_WINDOW} votes in the last ${UNDO_WINDOW_HOURS} hours. This one stays.`,
    fate: 'returned',
  },
} as const satisfies Record<string, Rejection>;

export type VoteRejection = keyof typeof VOTE_REJECTIONS;
