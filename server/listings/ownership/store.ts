import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Control } from '#chain/ownership.ts';
import type { Db } from '#db/client.ts';
import type { OwnershipState } from '#db/schema.ts';
import { isUniqueViolation } from '#db/unique-violation.ts';
import { fromBase64Url, toBase64Url } from '#record/entries/base64url.ts';
import { ownerHash } from '#record/entries/sealed.ts';
import type { OwnershipProof } from '#shared/contract/ownership.ts';
import { conflict } from '#server/kit/http/errors.ts';
import { moveMark } from '../projects/marks.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;

export interface NewProof {
  projectId: number;
  state: Exclude<OwnershipState, 'lost'>;
  subject: string;
  wallet: string;
  /** Null for a proof accepted by hand. */
  control: Pick<Control, 'objectType' | 'objectId' | 'objectVersion'> | null;
  checkpoint: string | null;
  reason: string | null;
}

/** @throws 409 for a second proven listing of one coin */
export async function withOneProof<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'ownerships_subject_key'))
      throw conflict('proven_elsewhere', 'Ownership of this coin or package is proven for another listing.');
    throw error;
  }
}

export async function storeProof(trx: Db, { projectId, control, ...proof }: NewProof): Promise<void> {
  const salt = randomBytes(SALT_BYTES);
  const object = control ?? { objectType: null, objectId: null, objectVersion: null };
  const hash = ownerHash(
    {
      wallet: proof.wallet,
      subject: proof.subject,
      objectType: object.objectType ?? '',
      objectId: object.objectId ?? '',
      objectVersion: object.objectVersion ?? '',
      checkpoint: proof.checkpoint ?? '',
    },
    salt,
  );
  const { objectType, objectId, objectVersion } = object;
  const row = {
    ...proof,
    objectType,
    objectId,
    objectVersion,
    salt,
    hash: Buffer.from(fromBase64Url(hash, HASH_BYTES) ?? []),
    checkedAt: sql<Date>`now()`,
  };
  await trx
    .insertInto('ownerships')
    .values({ projectId, ...row })
    .onConflict((oc) => oc.column('projectId').doUpdateSet(row))
    .execute();
  await moveMark(trx, projectId);
}

export async function findProof(db: Db, projectId: number): Promise<OwnershipProof | null> {
  const row = await db.selectFrom('ownerships').selectAll().where('projectId', '=', projectId).executeTakeFirst();
  if (!row) return null;
  const { projectId: _, salt, hash, since, checkedAt, ...proof } = row;
  return {
    ...proof,
    salt: salt && toBase64Url(salt),
    hash: toBase64Url(hash),
    since: since.toISOString(),
    checkedAt: checkedAt.toISOString(),
  };
}
