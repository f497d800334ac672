import { figuresOf, lookupLine } from '#shared/badge/figures.ts';
import type { Lookup } from '#shared/contract/lookup.ts';
import { wilsonInterval } from '#shared/numbers/interval.ts';
import { type FoundProject, listingOf } from '#server/listings/projects/queries.ts';
import { badgeFacts } from '../badge/facts.ts';

export function lookupOf(row: FoundProject, origin: string, now: Date): Lookup {
  const listing = listingOf(row);
  const facts = badgeFacts(row, now);
  const { votes, verified, hasEnded } = facts;
  const count = row.bullish + row.bearish;
  const { low, high } = wilsonInterval(row);
  return {
    line: lookupLine({ name: row.name, listing }, facts),
    id: row.id,
    slug: row.slug,
    name: row.name,
    coinType: row.coinType,
    packageId: row.packageId,
    votes: { ...votes, share: count === 0 ? null : row.bullish / count, low, high },
    now: row.now,
    verified,
    changed: figuresOf(facts).changed,
    listing,
    expired: hasEnded,
    figuresOn: row.figuresOn,
    asOf: now.toISOString(),
    url: `${origin}/projects/${row.slug}`,
    badge: `${origin}/badge/${row.slug}.svg`,
  };
}
