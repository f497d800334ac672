import { eachRow, restingRows } from '#db/each-row.ts';
import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import { type Control, stillControls } from '#chain/ownership.ts';
import { recordNotices } from '#server/books/notices.ts';
import type { CoinSource, OwnershipState } from '#db/schema.ts';
import { isUniqueViolation } from '#db/unique-violation.ts';
import { servedChain } from '#server/chain/chain-id.ts';
import type { Services } from '#server/kit/services.ts';
import { moveMark } from '../projects/marks.ts';
import { readVersions } from './packages.ts';

const PROOF = 'proof of project';
const RECHECK_DAYS = 7;
const BATCH = 200;

interface DueProof extends Pick<Control, 'subject' | 'objectType' | 'objectId'> {
  projectId: number;
  state: OwnershipState;
  hash: Buffer;
  wallet: string;
  coinType: string | null;
  packageId: string | null;
  coinSource: CoinSource;
  ownerId: number;
  name: string;
  slug: string;
}

const isNamed = sql<boolean>`o.subject IN (coalesce(original_of(p.coin_type), ''), coalesce(original_of(p.package_id), ''))`;

/** Proofs are due weekly, and at once if their listing names a package that is not known to be another version. */
const findDue = async ({ db }: Services): Promise<DueProof[]> => {
  const { rows } = await sql<DueProof>`
    SELECT o.project_id AS "projectId", o.state, o.hash, o.wallet, o.subject, o.object_type AS "objectType", o.object_id AS "objectId",
      p.coin_type AS "coinType", p.package_id AS "packageId", p.coin_source AS "coinSource", p.owner_id AS "ownerId", p.name, p.slug
    FROM ownerships o JOIN projects p ON p.id = o.project_id
    WHERE o.state IN ('controls', 'proven') AND o.wallet IS NOT NULL AND o.object_id IS NOT NULL
      AND o.project_id <> ALL (${restingRows<number>(db, PROOF)}::bigint[]) AND (o.checked_at <= now() - make_interval(days => ${RECHECK_DAYS}) OR NOT ${isNamed})
    ORDER BY o.checked_at LIMIT ${BATCH}`.execute(db);
  return rows;
};

async function look(services: Services, proof: DueProof): Promise<boolean> {
  const canonical = await readVersions(services, proof);
  const names = [proof.coinType, proof.packageId].map((name) => name && canonical(name));
  return names.includes(proof.subject) && (await stillControls(services.sui, proof.wallet, proof));
}

async function store({ db }: Services, proof: DueProof, state: OwnershipState): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('ownerships as o')
      .from('projects as p')
      .set({ checkedAt: sql<Date>`now()`, state })
      .whereRef('p.id', '=', 'o.projectId')
      .where('o.projectId', '=', proof.projectId)
      .where('o.hash', '=', proof.hash)
      .where('o.state', '=', proof.state)
      // A listing that was changed while the chain was asked waits for the next look.
      .where(sql<boolean>`(p.coin_type, p.package_id, p.coin_source) IS NOT DISTINCT FROM
        (${proof.coinType}::text, ${proof.packageId}::text, ${proof.coinSource}::coin_source)`)
      .executeTakeFirst();
    if (state === 'proven') await moveMark(trx, proof.projectId);
    if (state !== 'lost' || Number(numUpdatedRows) === 0) return;
    await recordNotices(trx, {
      userId: proof.ownerId,
      kind: 'listing_changed',
      text: `Your wallet no longer controls the coin of ${isolated(proof.name)}: its page says that ownership is no longer proven.`,
      link: `/projects/${encodeURIComponent(proof.slug)}`,
    });
  });
}

/** A proof kept while its package was unknown counts for what a moderator set again, unless another listing has proven that since. */
async function storeHeld(services: Services, proof: DueProof): Promise<void> {
  try {
    await store(services, proof, proof.coinSource === 'lister' ? 'controls' : 'proven');
  } catch (error) {
    if (!isUniqueViolation(error, 'ownerships_subject_key')) throw error;
    await store(services, proof, 'controls');
  }
}

/**
 * Rechecks weekly whether wallets hold the objects that prove ownership (R71). No proof is lost while the node is down or serves another
 * chain (R68). Resolves to the number of lost proofs.
 */
export async function recheckOwnership(services: Services): Promise<number> {
  const due = await findDue(services);
  if (due.length === 0 || (await servedChain(services)).state !== 'ours') return 0;
  let lost = 0;
  let isAway = false;
  await eachRow(services.db, { of: PROOF, idOf: ({ projectId }) => projectId }, due, async ([proof]) => {
    if (isAway || !proof) return;
    try {
      const isHeld = await look(services, proof);
      await (isHeld ? storeHeld(services, proof) : store(services, proof, 'lost'));
      if (!isHeld) lost += 1;
    } catch (error) {
      isAway = (await servedChain(services)).state !== 'ours';
      if (!isAway) throw error;
    }
  });
  return lost;
}
