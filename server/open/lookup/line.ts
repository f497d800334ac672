import type { Lookup } from '#shared/contract/lookup.ts';
import { holdersText } from '#shared/holders.ts';
import { wilsonInterval } from '#shared/interval.ts';
import { ownershipText } from '#shared/ownership.ts';
import { figuresOf, wordsOf } from '../badge/figures.ts';
import { type FoundProject, listingOf, votesOf } from '#server/listings/projects/queries.ts';

export function lookupOf(row: FoundProject, origin: string, now: Date): Lookup {
  const figures = figuresOf(row, now);
  const listing = listingOf(row);
  const votes = row.bullish + row.bearish;
  const { low, high } = wilsonInterval(row);
  const holders = row.holders === null ? [] : [holdersText(row.holders)];
  const words = wordsOf(figures, figures.changedShort);
  return {
    line: `${row.name}: ${[...words, ...holders, ownershipText(listing)].join(' · ')}`,
    id: row.id,
    slug: row.slug,
    name: row.name,
    coinType: row.coinType,
    packageId: row.packageId,
    votes: { bullish: row.bullish, bearish: row.bearish, share: votes === 0 ? null : row.bullish / votes, low, high },
    now: row.now,
    verified: votesOf(row).verified,
    holders: row.holders,
    changed: figures.changed,
    listing,
    expired: figures.isExpired,
    asOf: now.toISOString(),
    url: `${origin}/projects/${row.slug}`,
    badge: `${origin}/badge/${row.slug}.svg`,
  };
}
