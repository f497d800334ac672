import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Standing, StandingRules, Trust } from '#shared/contract/standing.ts';
import {
  DECISION_MIN_DAYS,
  EXCLUDED_STATES,
  STANDING_EXCUSED_DAYS,
  STANDING_NEEDED_DAYS,
  STANDING_VOTER_DAYS,
  STANDING_WINDOW_DAYS,
  VOTE_STATES,
} from '#shared/states/votes.ts';
import { freeWalletsToTop } from '#shared/figures/free-wallets.ts';
import { standingVotes } from '#server/books/opinions.ts';
import type { Config } from '#server/kit/config.ts';
import type { Services } from '#server/kit/services.ts';
import { toAppeal } from '#server/listings/projects/appeal.ts';
import { orderedOnce } from '#server/listings/projects/ordered.ts';
import { RHYTHM } from './rhythm-rule.ts';
import { findVoter } from './site-days.ts';

type Counted = Pick<Trust, 'votes' | 'verified' | 'waiting' | 'noStanding' | 'rhythm' | 'moderator' | 'replaced'>;

const sum = (condition: RawBuilder<unknown>) => sql`coalesce(sum(votes) FILTER (WHERE ${condition}), 0)::bigint`;
const COUNTED = sql.join([
  sql`${sum(sql`true`)} AS votes`,
  ...VOTE_STATES.map((state) => sql`${sum(sql`state = ${sql.lit(state)}`)} AS ${sql.ref(state)}`),
]);

const rulesOf = (config: Pick<Config, 'standingMinMist' | 'standingMinDays'>): StandingRules => ({
  minMist: config.standingMinMist.toString(),
  minDays: config.standingMinDays,
  neededDays: STANDING_NEEDED_DAYS,
  windowDays: STANDING_WINDOW_DAYS,
  excusedDays: STANDING_EXCUSED_DAYS,
  voterDays: STANDING_VOTER_DAYS,
  decisionMinDays: DECISION_MIN_DAYS,
  rhythm: RHYTHM,
});

async function countFreeWallets(services: TrustServices, sort: 'bullish' | 'verified'): Promise<number | null> {
  const { rows, ranked } = await orderedOnce(services, sort);
  return freeWalletsToTop(rows.slice(0, ranked), sort);
}

type TrustServices = Pick<Services, 'cache' | 'replica' | 'config'>;

export async function loadTrust(services: TrustServices): Promise<Trust> {
  const { replica, config } = services;
  const recent = sql<boolean>`day > (now() AT TIME ZONE 'UTC')::date - ${STANDING_VOTER_DAYS}::int`;
  const [totals, counted, readings, counts, days, bullish, verified] = await Promise.all([
    sql<Counted>`SELECT ${COUNTED} FROM vote_state_days`.execute(replica),
    sql<Trust['days'][number]>`SELECT day::text AS day, ${COUNTED} FROM vote_state_days v
      WHERE ${recent} GROUP BY v.day ORDER BY v.day`.execute(replica),
    sql<Trust['readings'][number]>`SELECT day::text AS day, skipped, wallets, standing, unread FROM standing_days
      WHERE ${recent} ORDER BY standing_days.day DESC`.execute(replica),
    sql<{ day: string | null }>`SELECT max(day)::text AS day FROM closed_days`.execute(replica),
    sql<{
      done: number;
      skipped: number;
    }>`SELECT count(*) FILTER (WHERE skipped IS NULL)::int AS done, count(skipped)::int AS skipped
      FROM standing_days`.execute(replica),
    countFreeWallets(services, 'bullish'),
    countFreeWallets(services, 'verified'),
  ]);
  const [total] = totals.rows;
  if (!total) throw new Error('the sum of the votes has no row');
  return {
    ...total,
    days: counted.rows,
    readings: readings.rows,
    readingsDone: days.rows[0]?.done ?? 0,
    readingsSkipped: days.rows[0]?.skipped ?? 0,
    rules: rulesOf(config),
    freeWallets: { bullish, verified },
    day: counts.rows[0]?.day ?? null,
  };
}

export async function countOwnVotes(db: Db, userId: number): Promise<Standing['votes']> {
  const { rows } = await sql<Standing['votes']>`
    SELECT count(*) FILTER (WHERE s.state = 'verified')::int AS verified, count(*) FILTER (WHERE s.state = 'waiting')::int AS waiting,
      count(*) FILTER (WHERE s.state = ANY (${[...EXCLUDED_STATES]}::vote_state[]))::int AS excluded,
      count(*) FILTER (WHERE (s.said_at AT TIME ZONE 'UTC')::date > coalesce(w.decided_until, '-infinity'))::int AS undecided
    FROM ${standingVotes(userId)} s LEFT JOIN voter_standing w ON w.user_id = s.user_id`.execute(db);
  return rows[0] ?? { verified: 0, waiting: 0, excluded: 0, undecided: 0 };
}

export async function findStanding({ db, config }: Services, userId: number): Promise<Standing> {
  const [{ state, oldEnoughAt, days }, appeal, votes] = await Promise.all([
    findVoter(db, config, userId),
    db
      .selectFrom('appeals')
      .selectAll()
      .where('userId', '=', userId)
      .where('projectId', 'is', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    countOwnVotes(db, userId),
  ]);
  return {
    state,
    oldEnoughAt,
    days,
    votes,
    rules: rulesOf(config),
    appeal: appeal ? toAppeal(appeal) : null,
  };
}
