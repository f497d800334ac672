import type { OwnershipProof } from '#shared/contract/ownership.ts';
import { ownerHash } from '../entries/sealed.ts';
import type { Figure, Place } from './compare.ts';
import {
  everywhere,
  isNewer,
  type Known,
  type Line,
  notRecorded,
  pagesOf,
  saltOf,
  sealedIn,
  type Shown,
  timeText,
} from './shown.ts';

/** True if the shown proof is the sealed one. A deleted account's proof is deleted too, and lost by that. */
function isSealed({ state, wallet, subject, salt, hash, ...held }: OwnershipProof): boolean {
  if (wallet === null) return state === 'lost' && salt === null;
  const bytes = saltOf(salt);
  const object = {
    objectType: held.objectType ?? '',
    objectId: held.objectId ?? '',
    objectVersion: held.objectVersion ?? '',
    checkpoint: held.checkpoint ?? '',
  };
  return bytes !== null && ownerHash({ wallet, subject, ...object }, bytes) === hash;
}

/** Proofs of ownership (R71). One that is newer than the record is believed until the next batch seals it. */
export const OWNERSHIP: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Ownership',
    figure: 'proof',
    places: (site, known) =>
      pagesOf(site).map(({ id }) => {
        const proof = site.proofs().get(id) ?? null;
        const recorded = known.record.listings.get(id)?.owner ?? null;
        const where = `project ${id}`;
        if (!proof) return [where, null, recorded && { state: recorded.state, hash: recorded.hash }];
        const shown = { ...proof, since: timeText(proof.since), isSealed: isSealed(proof) };
        if (isNewer(known, proof.since)) return [where, shown, { isSealed: true }];
        if (!recorded) return [where, shown, { since: notRecorded(known), isSealed: true }];
        const { state, hash, batch } = recorded;
        return [where, shown, { state, hash, since: sealedIn(known, batch), isSealed: true }];
      }),
  },
  {
    line: 'Ownership',
    figure: 'listing',
    places: (site) =>
      everywhere(site).flatMap(([where, { id, listing }]): Place[] => {
        const proof = site.proofs().get(id);
        if (proof === undefined) return [];
        const none = {
          ownership: listing.source === 'catalogue' ? 'unclaimed' : 'none',
          subject: null,
          ownershipSince: null,
        };
        const proven = proof && { ownership: proof.state, subject: proof.subject, ownershipSince: proof.since };
        return [[where, listing, proven ?? none]];
      }),
  },
  {
    // The first version is sealed by the batch of the listing's first day.
    line: 'Ownership',
    figure: 'listed',
    places: (site, known) =>
      everywhere(site).map(([where, { id, createdAt, listing }]) => {
        const [first] = known.record.listings.get(id)?.versions ?? [];
        const since = first ? sealedIn(known, first.batch) : notRecorded(known);
        return [where, { createdAt: timeText(createdAt), since: timeText(listing.since) }, { createdAt: since, since }];
      }),
  },
];
