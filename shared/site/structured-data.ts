import type { VoteCounts } from '../numbers/interval.ts';
import { bullishPercentage } from '../rules.ts';
import { RANK_MIN_VOTES } from '../figures/sorts.ts';

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
  listing: { source: string; ownership: string };
  name: string;
  description: string;
  website: string | null;
  twitterHandle: string | null;
  verified: VoteCounts;
}

/**
 * The subject of a project's page, as JSON-LD. A payer may list any name with any website, so that only the catalogue or a proof makes an
 * organization with links of a listing (R93).
 */
export function structuredData(
  { name, description, website, twitterHandle, verified, listing: { source, ownership } }: Described,
  image: string,
) {
  const rating = aggregateRating(verified);
  const isKnown = source !== 'paid' || ownership === 'proven' || ownership === 'accepted';
  return {
    '@context': 'https://schema.org',
    '@type': isKnown ? 'Organization' : 'CreativeWork',
    name,
    description,
    disambiguatingDescription: 'Name, description and links were written by users of this site.',
    image,
    ...(isKnown && website ? { url: website } : {}),
    ...(isKnown && twitterHandle ? { sameAs: [`https://x.com/${twitterHandle}`] } : {}),
    ...(rating ? { aggregateRating: rating } : {}),
  };
}
