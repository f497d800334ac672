import { VOTER } from './accounts.ts';
import type { DemoVote } from './history.ts';
import { DEMO_PROJECTS } from './projects.ts';
import { randomFrom } from './random.ts';
import type { DemoVoter } from './voters.ts';

export interface DemoReview {
  vote: DemoVote;
  content: string;
  atMs: number;
  /** The listing period of a sentence (R89); null for a review. */
  period: number | null;
}

const SENTENCE = { project: 'Reef Stewards', content: 'Says who turned up, and what it cost. I wish more would.' };

/** Sentences and reviews, each by an author who voted in its direction, written within hours of the vote; oldest first. */
export function planReviews(votes: readonly DemoVote[], nowMs: number): DemoReview[] {
  const written = new Map<DemoVoter, number>();
  const reviews = DEMO_PROJECTS.flatMap((project) => {
    const random = randomFrom(`reviews of ${project.name}`);
    const free = random.shuffle(votes.filter((vote) => vote.project === project));
    return project.reviews.flatMap(({ bullish: isBullish, text }): DemoReview[] => {
      const fitting = free.filter(({ bullish }) => bullish === isBullish);
      const vote = fitting.sort((one, other) => (written.get(one.voter) ?? 0) - (written.get(other.voter) ?? 0))[0];
      if (vote === undefined) return [];
      free.splice(free.indexOf(vote), 1);
      written.set(vote.voter, (written.get(vote.voter) ?? 0) + 1);
      const atMs = vote.atMs + Math.floor(Math.min(random.range(60_000, 9 * 3_600_000), (nowMs - vote.atMs) * 0.9));
      return [{ vote, content: text, atMs, period: null }];
    });
  });
  const sentences = votes
    .filter(({ voter, project }) => voter.walletAddress === VOTER.address && project.name === SENTENCE.project)
    .map((vote) => ({ vote, content: SENTENCE.content, atMs: vote.atMs + 90_000, period: vote.period }));
  return [...reviews, ...sentences].sort((one, other) => one.atMs - other.atMs);
}
