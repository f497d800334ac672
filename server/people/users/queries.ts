import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#db/client.ts';
import { VOTE_REWARD_TOKENS, VOTES_PER_WINDOW, VOTE_WINDOW_HOURS } from '#shared/constants.ts';
import type { User, UserStats, VotingStatus } from '#shared/contract/types.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { type Voter, whenCounts } from '#shared/figures/when-counts.ts';
import { opinionsOf, votesOf } from '#server/books/opinions.ts';
import { notFound, unauthorized } from '#server/kit/http/errors.ts';
import { imageUrl } from '#server/kit/image-url.ts';
import type { Services } from '#server/kit/services.ts';
import { findVoter } from '#server/figures/standing/site-days.ts';
import {
  cursorsOf,
  isBehind,
  mapPage,
  micros,
  type Page,
  type PageQuery,
  toFetch,
  toPage,
} from '#server/kit/http/pages.ts';
import { IDENTITY } from '#server/figures/totals/tally.ts';
import { callFigures, toCall } from './calls.ts';
import { changeableFrom, isChangeable } from './changeable-from.ts';

export async function findUser(db: Db, userId: number): Promise<User> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'walletAddress', 'avatarHash', 'twitterLink', 'telegramLink', 'discordLink'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!row) throw notFound('user_not_found', 'User not found');
  const { avatarHash, ...user } = row;
  return { ...user, avatarUrl: avatarHash && imageUrl(avatarHash) };
}

export interface ProfileColumns {
  username?: string | null;
  twitterLink?: string | null;
  telegramLink?: string | null;
  discordLink?: string | null;
  avatarHash?: string | null;
}

/** Writes the columns given, at least one; a taken username violates `users_username_key`. @throws 401 for a deleted account */
export async function updateProfile(db: Db, userId: number, columns: ProfileColumns): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(columns)
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) throw unauthorized('not_signed_in', 'User not logged in');
}

export function toUserStats(row: {
  totalVotes: number;
  bullish: number;
  bearish: number;
  streak: number;
  balance: number;
  tokensEarned: number;
}): UserStats {
  return {
    tokenBalance: row.balance,
    totalVotes: row.totalVotes,
    bullishVotes: row.bullish,
    bearishVotes: row.bearish,
    currentStreak: row.streak,
    bullishPercentage: bullishPercentage(row.bullish, row.bearish),
    tokensEarned: row.tokensEarned,
    streak: row.streak,
  };
}

/** Counters change without a vote only as a UTC day ends (the streak). @throws 404 */
export async function findStats(db: Db, userId: number): Promise<UserStats> {
  const row = await db
    .selectFrom('userStats')
    .select(['totalVotes', 'bullish', 'bearish', 'balance', 'tokensEarned'])
    // Consecutive UTC days up to today or yesterday, otherwise 0 (R9).
    .select(sql<number>`CASE WHEN last_day >= (now() AT TIME ZONE 'UTC')::date - 1 THEN streak ELSE 0 END`.as('streak'))
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!row) throw notFound('user_not_found', 'User not found');
  return toUserStats(row);
}

export function toVotingStatus(used: number, windowEndsAt: Date | null): VotingStatus {
  return {
    votesRemaining: Math.max(0, VOTES_PER_WINDOW - used),
    totalVotes: used,
    totalVotesAllowed: VOTES_PER_WINDOW,
    periodEndsAt: windowEndsAt?.toISOString() ?? null,
  };
}

export async function findVotingStatus(db: Db, userId: number): Promise<VotingStatus> {
  const end = sql<Date | null>`window_started_at + make_interval(hours => ${VOTE_WINDOW_HOURS})`;
  const row = await db
    .selectFrom('userStats')
    .select([end.as('endsAt'), sql<boolean>`coalesce(${end} > now(), false)`.as('open'), 'windowVotes'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!row) throw notFound('user_not_found', 'User not found');
  return row.open ? toVotingStatus(row.windowVotes, row.endsAt) : toVotingStatus(0, null);
}

interface OpinionRow {
  bullish: boolean;
  /** Milliseconds since 1970. */
  saidAt: number;
  identity: number;
}

/** All opinions of the vote `votes`, oldest first. */
const opinions = sql<OpinionRow[]>`(
  SELECT json_agg(json_build_object('bullish', v.bullish, 'identity', ${IDENTITY},
    'saidAt', floor(extract(epoch FROM v.said_at) * 1000)) ORDER BY v.said_at)
  FROM ${opinionsOf(sql`votes.user_id`)} v JOIN projects p ON p.id = v.project_id
  WHERE v.project_id = votes.project_id AND v.period = votes.period)`;

const voteKey = z.tuple([z.int().nonnegative(), z.int().positive()]);

const historyOf = (db: Db, userId: number) =>
  db
    .selectFrom(votesOf(userId).as('votes'))
    .innerJoin('projects', 'projects.id', 'votes.projectId')
    .innerJoin('voteStates as s', (join) =>
      join
        .onRef('s.userId', '=', 'votes.userId')
        .onRef('s.projectId', '=', 'votes.projectId')
        .onRef('s.period', '=', 'votes.period'),
    )
    .leftJoin('votesSetAside as a', (join) =>
      join
        .onRef('a.userId', '=', 'votes.userId')
        .onRef('a.projectId', '=', 'votes.projectId')
        .onRef('a.period', '=', 'votes.period')
        .onRef('a.reason', '=', 's.state'),
    )
    .innerJoin('voteEvidence as e', (join) =>
      join
        .onRef('e.userId', '=', 'votes.userId')
        .onRef('e.projectId', '=', 'votes.projectId')
        .onRef('e.period', '=', 'votes.period'),
    )
    .select([
      's.state',
      's.replacedAt',
      'a.detail',
      sql<number>`e.days_read`.as('daysRead'),
      sql<number>`e.days_held`.as('daysHeld'),
      'votes.projectId',
      's.bullish',
      's.turnedAt',
      's.saidAt',
      sql<Date | null>`CASE WHEN ${isChangeable('votes')} THEN ${changeableFrom('s')} END`.as('changeableFrom'),
      'votes.createdAt',
      'votes.period',
      opinions.as('opinions'),
      callFigures('s', userId).as('figures'),
      'projects.imageHash',
      'projects.slug',
      'projects.name',
      'projects.category',
      micros('votes.createdAt').as('time'),
    ])
    .orderBy('votes.createdAt', 'desc')
    .orderBy('projects.id', 'desc');

type HistoryRow = Awaited<ReturnType<ReturnType<typeof historyOf>['execute']>>[number];

const toItem = (userId: number, voter: Voter, { figures, state, ...row }: HistoryRow): VoteHistoryItem => ({
  id: `${userId}-${row.projectId}-${row.period}`,
  voteType: row.bullish ? ('bullish' as const) : ('bearish' as const),
  tokensEarned: VOTE_REWARD_TOKENS,
  createdAt: row.createdAt.toISOString(),
  since: (row.turnedAt ?? row.createdAt).toISOString(),
  saidAt: (row.saidAt ?? row.createdAt).toISOString(),
  changeableFrom: row.changeableFrom?.toISOString() ?? null,
  period: row.period,
  opinions: row.opinions.map(({ bullish, saidAt, identity }) => ({
    voteType: bullish ? ('bullish' as const) : ('bearish' as const),
    saidAt: new Date(saidAt).toISOString(),
    identity,
  })),
  counts: row.replacedAt === null,
  state: state ?? 'waiting',
  when: whenCounts(
    {
      state: state ?? 'waiting',
      saidAt: (row.saidAt ?? row.createdAt).toISOString(),
      daysRead: row.daysRead,
      daysHeld: row.daysHeld,
      isChangeable: row.changeableFrom !== null,
    },
    voter,
    Date.now(),
  ),
  detail: row.detail,
  call: figures && toCall(figures, row.bullish === true, row.turnedAt ?? row.createdAt),
  project: {
    id: row.projectId,
    slug: row.slug,
    name: row.name,
    category: row.category,
    imageUrl: imageUrl(row.imageHash),
  },
});

export async function listVotes(
  { db, config }: Pick<Services, 'db' | 'config'>,
  userId: number,
  page: PageQuery,
): Promise<Page<VoteHistoryItem>> {
  const cursors = cursorsOf(`votes:${userId}`, voteKey);
  const before = cursors.read(page);
  const votes = historyOf(db, userId)
    .$if(before !== null, (query) => query.where(isBehind(['votes.createdAt', 'projects.id'], before ?? [0, 0])))
    .limit(toFetch(page))
    .execute();
  const counted = db.selectFrom('userStats').select('totalVotes').where('userId', '=', userId).executeTakeFirst();
  const [rows, stats, voter] = await Promise.all([votes, counted, findVoter(db, config, userId)]);
  return mapPage(
    toPage(rows, page, (row) => cursors.write([row.time, row.projectId]), stats?.totalVotes ?? 0),
    (row) => toItem(userId, voter, row),
  );
}

/** The votes that count on these projects, in their order. */
export async function listNewestVotes(
  { db, config }: Pick<Services, 'db' | 'config'>,
  userId: number,
  ids: readonly number[],
): Promise<VoteHistoryItem[]> {
  if (ids.length === 0) return [];
  const [rows, voter] = await Promise.all([
    historyOf(db, userId).where('projects.id', 'in', ids).where('s.replacedAt', 'is', null).execute(),
    findVoter(db, config, userId),
  ]);
  const byId = new Map(rows.map((row) => [row.projectId, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? toItem(userId, voter, row) : [];
  });
}
