import { SESSION_COOKIE } from '#shared/constants.ts';
import type { Ballot } from './contest.ts';
import { tokenOf } from './data.ts';

const STRIDE = 611_953;

/** The n-th vote of a ballot as a whole HTTP request; the same order as votes.lua. */
export function voteRequest({ firstUser, users, round, projects, hot }: Ballot, n: number): string {
  const k = Math.floor(n / users);
  const user = firstUser + (((n % users) * STRIDE) % users);
  const projectId = hot > 0 ? hot + ((k + user) % 3) : ((user * 7919 + (round + k) * 104_729) % projects) + 1;
  const voteType = n % 3 === 0 ? 'bearish' : 'bullish';
  const body = JSON.stringify({ userId: user, projectId, voteType, tokensEarned: 10 });
  return `POST /api/votes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nCookie: ${cookieOf(user)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

export const cookieOf = (userId: number): string => `${SESSION_COOKIE}=${tokenOf(userId)}`;

/** A GET of a user's own data. */
export function readRequest(path: string, userId: number, etag?: string): string {
  const condition = etag === undefined ? '' : `If-None-Match: ${etag}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookieOf(userId)}\r\n${condition}\r\n`;
}
