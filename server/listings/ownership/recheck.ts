import { sql } from 'kysely';
import { stillControls } from '#chain/ownership.ts';
import { recordNotices } from '#server/books/notices.ts';
import { servedChain } from '#server/kit/chain-id.ts';
import type { Services } from '#server/kit/services.ts';

const RECHECK_DAYS = 7;
const BATCH = 200;

interface DueProof {
  projectId: number;
  hash: Buffer;
  wallet: string;
  subject: string;
  objectType: string;
  objectId: string;
  ownerId: number;
  name: string;
  slug: string;
}

const findDue = async ({ db }: Services): Promise<DueProof[]> => {
  const { rows } = await sql<DueProof>`
    SELECT o.project_id AS "projectId", o.hash, o.wallet, o.subject, o.object_type AS "objectType", o.object_id AS "objectId",
      p.owner_id AS "ownerId", p.name, p.slug
    FROM ownerships o JOIN projects p ON p.id = o.project_id
    WHERE o.state IN ('controls', 'proven') AND o.wallet IS NOT NULL AND o.object_id IS NOT NULL
      AND o.checked_at <= now() - make_interval(days => ${RECHECK_DAYS})
    ORDER BY o.checked_at LIMIT ${BATCH}`.execute(db);
  return rows;
};

async function store({ db }: Services, proof: DueProof, isHeld: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('ownerships')
      .set({ checkedAt: sql<Date>`now()`, ...(isHeld ? {} : { state: 'lost' as const }) })
      .where('projectId', '=', proof.projectId)
      .where('hash', '=', proof.hash)
      .where('state', '<>', 'lost')
      .executeTakeFirst();
    if (isHeld || Number(numUpdatedRows) === 0) return;
    await recordNotices(trx, {
      userId: proof.ownerId,
      kind: 'listing_changed',
      text: `Your wallet no longer controls the coin of ${proof.name}: its page says that ownership is no longer proven.`,
      link: `/projects/${encodeURIComponent(proof.slug)}`,
    });
  });
}

/**
 * Rechecks weekly whether wallets hold the objects that prove ownership (R71). No proof is lost while the node is down or serves another
 * chain (R68). Resolves to the number of lost proofs.
 */
export async function recheckOwnership(services: Services): Promise<number> {
  const due = await findDue(services);
  if (due.length === 0 || (await servedChain(services)).state !== 'ours') return 0;
  let lost = 0;
  for (const proof of due) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one call at a time is enough for a week
      const isHeld = await stillControls(services.sui, proof.wallet, proof);
      // oxlint-disable-next-line no-await-in-loop
      await store(services, proof, isHeld);
      if (!isHeld) lost += 1;
    } catch (error) {
      services.log.warn(
        { err: error, projectId: proof.projectId },
        'a proof of ownership could not be looked at again',
      );
      // One unreadable object must not delay the others.
      // oxlint-disable-next-line no-await-in-loop
      if ((await servedChain(services)).state !== 'ours') return lost;
    }
  }
  return lost;
}
