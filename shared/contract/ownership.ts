import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { IdParam, Ok, Project, ProjectRef, Reason, Time } from './types.ts';

/** A proof that a wallet controls the coin or package of a listing (R71); docs/use/record.md defines its hash. */
export const OwnershipProof = z.object({
  state: Project.shape.listing.shape.ownership,
  subject: z.string(),
  /** Null after the account was deleted; only the hash is left, as for those below. */
  wallet: z.string().nullable(),
  objectType: z.string().nullable(),
  objectId: z.string().nullable(),
  objectVersion: z.string().nullable(),
  /** The newest checkpoint of the chain before the object was read. */
  checkpoint: z.string().nullable(),
  /** The admin's reason for accepting it by hand. */
  reason: z.string().nullable(),
  /** 16 bytes in base64url, of which `hash` is made. */
  salt: z.string().nullable(),
  /** The hash in the `owner` entries of the public record. */
  hash: z.string(),
  since: Time,
  checkedAt: Time,
});
export type OwnershipProof = z.output<typeof OwnershipProof>;

export const proveOwnership = endpoint('proveOwnership', {
  access: 'user',
  summary:
    "Prove that the session's wallet controls the coin or package that its listing, or an unclaimed one, names: it holds the TreasuryCap, UpgradeCap or Publisher now; an unclaimed listing then belongs to this wallet, whose own vote on it no longer counts: the public record shows that one vote on it is excluded, by which others can tell that vote and its direction; the listing of another wallet is claimed, answered by its lister and decided by a moderator",
  params: ProjectRef,
  statuses: {
    403: 'Another wallet has proven the listing, or it is unclaimed and kept by this one',
    409: 'The listing names neither coin nor package, the wallet holds none of the objects, another wallet was faster, another listing has proven the coin, or this wallet has claimed three listings in 30 days',
    503: 'The Sui node did not respond',
  },
  response: Project.shape.listing,
});

export const setCoin = endpoint('setCoin', {
  access: 'admin',
  summary:
    "Set the coin and package of a listing, with a reason its owner sees; a wallet's proof for them then proves ownership",
  params: IdParam,
  body: z.object({
    coinType: z.string().max(1000).nullable(),
    packageId: z.string().max(1000).nullable(),
    reason: Reason,
  }),
  statuses: { 409: 'The listing controls this coin, and another listing has proven ownership of it' },
  response: Ok,
});

export const acceptOwnership = endpoint('acceptOwnership', {
  access: 'admin',
  summary: "Accept by hand that the owner's wallet controls the coin or package of a listing, with a public reason",
  params: IdParam,
  body: z.object({ reason: Reason }),
  statuses: { 409: 'The listing names neither coin nor package, or another listing has proven ownership of it' },
  response: Ok,
});
