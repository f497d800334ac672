import { conflict, forbidden, type HttpError, notFound, tooMany, unauthorized } from '../http/errors.ts';
import type { VoteRejection } from '../services.ts';

/** The response to each rejection (R7, R8). `waitS` is the time until the window of the voter ends. */
export const REJECTIONS: Readonly<Record<VoteRejection, (waitS: number) => HttpError>> = {
  no_session: () => unauthorized('not_signed_in', 'User not logged in'),
  other_session: () => forbidden('not_yours', 'You are signed in as another user'),
  no_project: () => notFound('project_not_found', 'Project not found'),
  own_project: () => forbidden('own_project', 'You cannot vote on your own project'),
  already_voted: () => conflict('already_voted', 'Already voted on this project'),
  expired: () => conflict('project_expired', 'This project has expired'),
  window_full: (waitS) => tooMany('vote_limit', 'Rate limit reached', waitS),
};
