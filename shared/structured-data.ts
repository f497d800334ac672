import type { VoteCounts } from './interval.ts';
import { bullishPercentage } from './rules.ts';
import { RANK_MIN_VOTES } from './sorts.ts';

/** The rating of a project for machines (schema.org): the bullish share of its verified votes; null with fewer than ten. */
export function aggregateRating({ bullish, bearish }: VoteCounts) {
  const votes = bullish + bearish;
  if (votes < RANK_MIN_VOTES) return null;
  return {
    '@type': 'AggregateRating',
    ratingValue: bullishPercentage(bullish, bearish),
    bestRating: 100,
    worstRating: 0,
    ratingCount: votes,
    ratingExplanation: 'Bullish share of the verified votes, in percent',
  } as const;
}

interface Described {
  name: string;
  description: string;
  website: string | null;
  twitterHandle: string | null;
  verified: VoteCounts;
}

/** The subject of a project's page, as JSON-LD. Texts are those of its owner. */
export function structuredData({ name, description, website, twitterHandle, verified }: Described, image: string) {
  const rating = aggregateRating(verified);
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name,
    description,
    image,
    ...(website ? { url: website } : {}),
    ...(twitterHandle ? { sameAs: [`https://x.com/${twitterHandle}`] } : {}),
    ...(rating ? { aggregateRating: rating } : {}),
  };
}
