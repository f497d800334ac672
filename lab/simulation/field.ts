import { sql } from 'kysely';
import { applyOrder } from '#server/money/orders/apply.ts';
import { cleanDraft } from '#server/money/orders/draft.ts';
import type { Db } from '#db/client.ts';
import type { Services } from '#server/kit/services.ts';
import { UPDATE_FEE_MIST } from '#shared/constants.ts';
import { RANK_MIN_VOTES, type Sortable } from '#shared/figures/sorts.ts';
import { inOrderOfFigures, readBoard } from './board.ts';
import { signIn } from './cast.ts';
import { at, setClock } from './clock.ts';
import { SIMULATED_ORDERS } from './results.ts';

const DAILY_ORDERS = SIMULATED_ORDERS.filter((order) => order !== 'lasting');
/** Wallets vote against the first projects of each order. With the others they fit into one window of votes. */
const RIVALS_PER_ORDER = 6;
/** Projects on which wallets cast other votes. */
const OTHERS = 6;

/** The projects that attacks vote on. */
export interface Field {
  /** The project nearest to the middle of all orders. */
  target: number;
  own: number;
  /** The last project by approval of those with a rank, under another name since day 0. */
  renamed: number;
  rivals: readonly number[];
  others: readonly number[];
}

async function listOwn(db: Db): Promise<number> {
  const [userId = 0] = await signIn(db, 1, at(0));
  const texts = cleanDraft({
    name: 'Own Listing',
    category: 'DeFi',
    description: 'Listed for an attack',
    twitterHandle: 'own_listing',
  });
  const draft = { ...texts, imageHash: '0'.repeat(32) };
  const id = await db
    .transaction()
    .execute((trx) => applyOrder(trx, { purpose: 'submit', draft }, { userId, isAdmin: false }, null));
  await sql`UPDATE projects SET expires_at = ${at(400)}, created_at = ${at(0)}, period_starts = ARRAY[${at(0)}::timestamptz] WHERE id = ${id}`.execute(
    db,
  );
  return id;
}

async function rename(db: Db, projectId: number): Promise<void> {
  const { ownerId: userId } = await db
    .selectFrom('projects')
    .select('ownerId')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const receipt = { digest: 'the change of a name', amountMist: UPDATE_FEE_MIST };
  const draft = { name: 'Another Name', twitterHandle: 'another_name', imageHash: '1'.repeat(32) };
  const order = { purpose: 'update', projectId, draft } as const;
  await db.transaction().execute((trx) => applyOrder(trx, order, { userId, isAdmin: false }, receipt));
}

/** Finds the projects on the board of this day, lists the attacker's, and renames one. */
export async function prepareField(services: Services): Promise<Field> {
  const { db } = services;
  const board = await readBoard(services);
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM projects WHERE listed AND created_at < ${at(0)}`.execute(db);
  const active = new Set(rows.map(({ id }) => id));
  const orders = DAILY_ORDERS.map((order) => inOrderOfFigures(order, board).filter((id) => active.has(id)));
  const away = (id: number): number =>
    orders.reduce((sum, order) => sum + Math.abs(order.indexOf(id) - (order.length - 1) / 2), 0);
  const [target = 0] = [...active].toSorted((one, other) => away(one) - away(other) || one - other);
  const tops = orders.flatMap((order) => order.slice(0, RIVALS_PER_ORDER));
  const isRanked = ({ verified }: Sortable): boolean => verified.bullish + verified.bearish >= RANK_MIN_VOTES;
  const ranked = new Set([...board.values()].filter(isRanked).map(({ id }) => id));
  const renamed = orders[0]?.findLast((id) => id !== target && ranked.has(id)) ?? 0;
  const rivals = [...new Set(tops)].filter((id) => id !== target && id !== renamed).slice(0, active.size - OTHERS - 2);
  const others = [...active].filter((id) => id !== target && id !== renamed && !rivals.includes(id));
  await setClock(db, at(0, 0.5));
  const own = await listOwn(db);
  await rename(db, renamed);
  return { target, own, renamed, rivals, others };
}
