import { eachRow, restingRows } from '#db/each-row.ts';
import { sql } from 'kysely';
import { LASTING_DAYS } from '#shared/figures/cost-to-change.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import { SERVER } from '#server/books/audit.ts';
import { lockBalance } from '#server/books/ledger.ts';
import { applyRule, areBooksInOrder, hasStanding } from '../rule/rule.ts';
import type { Services } from '#server/kit/services.ts';
import { isPaused } from '../withdrawals/queries.ts';
import { approveIn, readPaidUnits } from './queue.ts';

const REQUEST = 'requested withdrawal';
const ROUND = 100;
/** A wallet that waits may have gained standing. */
const RECHECK_MINUTES = 5;

interface Candidate {
  id: number;
  userId: number;
  walletAddress: string;
  tokenAmount: number;
  hasStanding: boolean;
}

/** A crowd without standing must not delay other requests: new ones come first, then those examined longest ago. */
const findCandidates = ({ db, config }: Services): Promise<Candidate[]> =>
  db
    .selectFrom('withdrawals')
    .innerJoin('users as u', 'u.id', 'withdrawals.userId')
    .select([
      'withdrawals.id',
      'userId',
      'withdrawals.walletAddress',
      'tokenAmount',
      hasStanding(config).as('hasStanding'),
    ])
    .where('state', '=', 'requested')
    .where((eb) =>
      eb.or([
        eb('autoCheckedAt', 'is', null),
        eb('autoCheckedAt', '<', sql<Date>`now() - make_interval(mins => ${RECHECK_MINUTES})`),
      ]),
    )
    .orderBy('autoCheckedAt', (order) => order.asc().nullsFirst())
    .orderBy('withdrawals.id')
    .limit(ROUND)
    .execute();

/** Safe to run on several servers (R79). */
export async function approveByRule(services: Services): Promise<number> {
  const { db, config } = services;
  if (config.payoutAutoMaxSnaps === null) return 0;
  if ((await isPaused(db)) || !(await areBooksInOrder(db))) return 0;
  const candidates = await findCandidates(services);
  if (candidates.length === 0) return 0;
  // Requests whose examination fails are marked too: they would block all others.
  await db
    .updateTable('withdrawals')
    .set({ autoCheckedAt: sql<Date>`now()` })
    .where(
      'id',
      'in',
      candidates.map(({ id }) => id),
    )
    .execute();
  let approved = 0;
  restingRows(db, REQUEST);
  const examined = candidates.filter((one) => one.hasStanding);
  await eachRow(db, { of: REQUEST, idOf: ({ id }) => id }, examined, async ([candidate]) => {
    if (candidate && (await approveOne(services, candidate))) approved += 1;
  });
  return approved;
}

async function approveOne(services: Services, candidate: Candidate): Promise<boolean> {
  const { db, config } = services;
  const paidUnits = await readPaidUnits(services, candidate.walletAddress);
  const { id, userId, tokenAmount } = candidate;
  const max = config.payoutAutoMaxSnaps ?? 0;
  return db.transaction().execute(async (trx) => {
    await lockBalance(trx, userId);
    const { missing, spent } = await applyRule(trx, config, candidate, { lock: true });
    if (missing.length > 0) return false;
    const grounds = `standing, on ${LASTING_DAYS} of ${STANDING_VOTER_DAYS} days at least, no excluded votes, ${spent + tokenAmount} of ${max} Snaps in 30 days, books in order`;
    if (!(await approveIn(trx, SERVER, candidate, { grounds, paidUnits }))) return false;
    await trx
      .updateTable('withdrawals')
      .set({ autoApprovedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
    return true;
  });
}
