import { sql } from 'kysely';
import { applyOrder } from '#server/money/orders/apply.ts';
import { cleanDraft } from '#server/money/orders/draft.ts';
import type { Db } from '#db/client.ts';
import { RANK_MIN_VOTES } from '#shared/sorts.ts';
import { TREND_DAYS } from '#shared/trending.ts';
import { signIn } from './cast.ts';
import { at } from './clock.ts';
import type { Board, Counted } from './board.ts';
import { inOrderOfFigures, neededWallets, ORDERS_OF_A_DAY } from './goals.ts';
import type { Field } from './plan.ts';

/** Wallets vote against the first projects of each order. With the target they fit into one window of votes. */
const RIVALS_PER_ORDER = 6;
const MAX_RIVALS = 24;
const MAX_WALLETS = 6_000;

export async function activeProjects(db: Db): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM projects WHERE listed AND created_at < ${at(0)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The target is the project nearest to the middle of all orders, its rivals are at the top of each order. */
export function fieldOf(board: Board, active: ReadonlySet<number>, seed: number): Field {
  const orders = ORDERS_OF_A_DAY.map((order) => inOrderOfFigures(order, board));
  const away = (id: number): number =>
    orders.reduce((sum, order) => sum + Math.abs(order.indexOf(id) - (order.length - 1) / 2), 0);
  const [target = 0] = [...active].toSorted((one, other) => away(one) - away(other) || one - other);
  const tops = orders.flatMap((order) => order.slice(0, RIVALS_PER_ORDER));
  const rivals = [...new Set(tops)].filter((id) => id !== target && active.has(id)).slice(0, MAX_RIVALS);
  const others = [...active].filter((id) => id !== target && !rivals.includes(id));
  return { seed, board, target, rivals, others };
}

export const NO_ROW = {
  id: 0,
  createdAt: '',
  bullishVotes: 0,
  bearishVotes: 0,
  verified: { bullish: 0, bearish: 0 },
  trend: { bullish: 0, bearish: 0, weight: 0 },
};

/** The wallets that all goals would need if all their votes were verified and every project had a rank, and some more. */
export function neededAtMost({ board, target, rivals }: Field): number {
  const votes: Counted[] = Array.from({ length: MAX_WALLETS }, (_, place) =>
    [target, ...rivals].map((projectId) => ({
      place,
      projectId,
      bullish: projectId === target,
      isVerified: true,
      weight: TREND_DAYS,
    })),
  ).flat();
  // Projects get their ranks during attacks.
  const ranked: Board = new Map([...board].map(([id, row]) => [id, { ...row, rankVotes: RANK_MIN_VOTES }]));
  const question = { board: ranked, votes, wallets: MAX_WALLETS, target, without: new Set<number>() };
  const needed = ORDERS_OF_A_DAY.flatMap((order) => Object.values(neededWallets(order, question)));
  return Math.ceil(1.15 * Math.max(RANK_MIN_VOTES, ...needed.map((wallets) => wallets ?? 0))) + 5;
}

export async function listOwn(db: Db): Promise<number> {
  const [ownerId = 0] = await signIn(db, 1, at(0));
  const texts = cleanDraft({
    name: 'Own Listing',
    category: 'DeFi',
    description: 'Listed for an attack',
    twitterHandle: 'own_listing',
  });
  const draft = { ...texts, imageHash: '0'.repeat(32) };
  const id = await db
    .transaction()
    .execute((trx) => applyOrder(trx, { purpose: 'submit', draft }, { userId: ownerId, isAdmin: false }, null));
  await sql`UPDATE projects SET expires_at = ${at(400)}, created_at = ${at(0)}, period_starts = ARRAY[${at(0)}::timestamptz] WHERE id = ${id}`.execute(
    db,
  );
  return id;
}
