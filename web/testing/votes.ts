import { beforeEach } from 'vitest';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { listProjects, projectLeaderboard } from '#shared/contract/projects.ts';
import { listVotes } from '#shared/contract/users.ts';
import { castVote } from '#shared/contract/votes.ts';
import { outcome, type Outcome } from '../voting/outcome.ts';
import type { TestServer } from './test-server.ts';

/** Empty responses to what the page reads again after a vote, beside the user's own figures. */
export function respondAfterVotes(server: TestServer): void {
  server.respond(listProjects, []);
  server.respond(projectLeaderboard, []);
  server.respond(getLeaderboard, { topVoters: [], currentUserRank: null, asOf: null, isInSteps: false });
  server.respond(listVotes, [], { total: 0 });
}

/** The projects of the votes that were sent, in order. */
export const sentVotes = (server: TestServer): number[] =>
  server.calls(castVote).map(({ body }) => (body as { projectId: number }).projectId);

/** How the votes of a test ended, in order: the project and the kind of each fate. */
export function useFates(): () => Array<[projectId: number, kind: Outcome['fate']['kind']]> {
  let ended: Outcome[] = [];
  outcome.subscribe(() => {
    const one = outcome.get();
    if (one) ended.push(one);
  });
  beforeEach(() => {
    ended = [];
  });
  return () => ended.map(({ vote, fate }) => [vote.project.id, fate.kind]);
}
