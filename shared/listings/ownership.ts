import { CLAIM_ANSWER_DAYS } from '../constants.ts';
import { dayText } from '../text/day-text.ts';
import { type ListingSource, lookAlikeText, SOURCE_TEXT } from './listing-source.ts';

export const COIN_SOURCES = ['lister', 'catalogue', 'moderator'] as const;

/**
 * Who controls the coin or package of a listing (R71). `none`: no proof; `unclaimed`: the same for a part of the catalogue; `controls`: a
 * wallet controls what the lister typed; `proven`: what the catalogue or a moderator set; `accepted`: the admin accepted a proof by hand; `lost`:
 * the last proof no longer holds.
 */
export const OWNERSHIP_STATES = ['none', 'unclaimed', 'controls', 'proven', 'accepted', 'lost'] as const;
export type OwnershipState = (typeof OWNERSHIP_STATES)[number];

export interface Listing {
  source: ListingSource;
  since: string;
  ownership: OwnershipState;
  subject: string | null;
  /** The listing whose name looks the same, where no moderator has looked yet. */
  lookAlike?: { name: string; since: string } | undefined;
}

/** How a claim on another wallet's listing is decided. */
export const TAKE_OVER = `Its lister has ${CLAIM_ANSWER_DAYS} days to answer, then a moderator decides.`;

/** True if a wallet other than the owner's can claim the listing, which has no proof yet. */
export const isClaimable = ({ ownership }: Pick<Listing, 'ownership'>): boolean =>
  ownership !== 'proven' && ownership !== 'accepted';

const HEAD = 4;
const TAIL = 2;
/** '0x12…ab::coin::COIN': a coin type or package with its address cut short. */
export function shortType(type: string): string {
  return type.replaceAll(/0x0*([0-9a-f]+)/g, (whole: string, digits: string) =>
    digits.length <= HEAD + TAIL ? `0x${digits || '0'}` : `${whole.slice(0, HEAD)}…${whole.slice(-TAIL)}`,
  );
}

/** 'Controls 0x12…ab::coin::COIN', 'Ownership proven', 'Unclaimed'. */
export function ownershipText({ ownership, subject }: Pick<Listing, 'ownership' | 'subject'>): string {
  if (ownership === 'controls') return `Controls ${shortType(subject ?? '')}`;
  if (ownership === 'proven') return 'Ownership proven';
  if (ownership === 'accepted') return 'Ownership accepted by the admin';
  if (ownership === 'lost') return 'Ownership no longer proven';
  return ownership === 'unclaimed' ? 'Unclaimed' : 'Ownership not proven';
}

/** 'Paid listing since 3 Nov 2026 · Ownership proven', where there is no room for more. */
export const listingText = (listing: Listing): string =>
  [
    `${SOURCE_TEXT[listing.source]} since ${dayText(listing.since)}`,
    ownershipText(listing),
    ...(listing.lookAlike ? [lookAlikeText(listing.lookAlike)] : []),
  ].join(' · ');

/** Lists the objects that prove a listing, joined by 'or' or 'nor': a wallet must hold one of them. */
export function neededObjects(
  { coinType, packageId }: { coinType: string | null; packageId: string | null },
  joined: 'or' | 'nor' = 'or',
): string {
  const caps = 'UpgradeCap or Publisher';
  if (coinType === null) return `${caps} of ${shortType(packageId ?? '')}`;
  return `TreasuryCap of ${shortType(coinType)}, ${joined} ${caps} of its package${packageId === null ? '' : ` or of ${shortType(packageId)}`}`;
}
