import { sql, type UpdateObject } from 'kysely';
import type { DB } from '#db/schema.ts';
import type { Db } from '#db/client.ts';
import { conflict, forbidden, unauthorized } from '#server/kit/http/errors.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { lockBalance } from '#server/books/ledger.ts';
import { votesOf } from '#server/books/opinions.ts';
import { excludeVotes } from '#server/books/exclusions.ts';
import { isClaimable as isUnproven } from '#shared/listings/ownership.ts';
import { listingOf, type ProjectRow } from '../projects/queries.ts';
import { findProof } from './store.ts';

const EXCLUDED = 'you claimed this listing, and votes on your own listing do not count';
const ACTOR = 'claim';

const isClaimable = ({ isCatalogue, ownership, coinSource }: ProjectRow): boolean =>
  isCatalogue && ownership === null && coinSource !== 'lister';

export type Way = 'prove' | 'claim' | 'takeOver';

/**
 * Owners prove their listing. Others claim an unclaimed one, except the wallet that keeps the catalogue, or take over one without a
 * proof. @throws 403
 */
export function wayOf(project: ProjectRow, { userId }: SessionUser): Way {
  const isOwn = project.ownerId === userId;
  if (!isClaimable(project)) {
    if (isOwn) return 'prove';
    if (isUnproven(listingOf(project))) return 'takeOver';
    throw forbidden('not_owner', 'Another wallet has proven the ownership of this listing');
  }
  if (isOwn) throw forbidden('keeps_catalogue', 'The wallet that keeps the catalogue cannot claim its listings');
  return 'claim';
}

/** Locks the import and the user, before the listing: no undo of the import and no vote of the user happens in between. @throws 401 */
export async function lockClaim(trx: Db, projectId: number, userId: number): Promise<void> {
  await sql`SELECT FROM catalogue_imports WHERE id = (SELECT import_id FROM projects WHERE id = ${projectId}) FOR SHARE`.execute(
    trx,
  );
  await lockBalance(trx, userId);
  const user = await trx.selectFrom('users').select('deletedAt').where('id', '=', userId).executeTakeFirst();
  if (user?.deletedAt !== null) throw unauthorized('not_signed_in', 'User not logged in');
}

export async function requireStillUnclaimed(trx: Db, projectId: number): Promise<void> {
  if (await findProof(trx, projectId))
    throw conflict('already_claimed', 'This listing was claimed a moment ago. Reload its page.');
}

interface Periods {
  present: number;
  voted: number[];
}

/** The new owner's votes on the listing are excluded (R72). */
export async function handOver(
  trx: Db,
  project: { id: number; name: string },
  userId: number,
  changes: UpdateObject<DB, 'projects'> = {},
): Promise<void> {
  await trx
    .updateTable('projects')
    .set({ ...changes, ownerId: userId })
    .where('id', '=', project.id)
    .execute();
  const { rows } = await sql<Periods>`
    SELECT period_at(period_starts, clock_timestamp()) AS present,
      ARRAY(SELECT v.period FROM ${votesOf(userId)} v WHERE v.project_id = ${project.id}::int) AS voted
    FROM projects WHERE id = ${project.id}`.execute(trx);
  const { present, voted } = rows[0] ?? { present: 1, voted: [] };
  await excludeVotes(trx, voted, {
    userId,
    project,
    detail: EXCLUDED,
    actor: ACTOR,
    // A vote that waits for the lock saw the previous owner.
    expected: [present],
  });
}
