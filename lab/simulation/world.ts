import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { seed as seedDemo } from '../demo/seed.ts';
import { SUI_HOLDERS } from '../demo/standing.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import { reopenDays } from '../testing/close.ts';
import { at, dayOf, setClock } from './clock.ts';

export const CROWD = { voters: 100_000, projects: 200 };

/** Honest votes end on this day, so that figures of the last days do not fall to zero during an attack. */
const HONEST_DAYS = 15;
const HISTORY_DAYS = 63;
/** Share of days on which a wallet with SUI holds enough. */
const STEADY = 0.94;
const HOLDERS = 0.7;

/** The demo's own seed, which ends two weeks after day 0. */
export async function seedDemoWorld(db: Db): Promise<void> {
  await setClock(db, at(0));
  await seedDemo(db, () => undefined, { nowMs: at(HONEST_DAYS).getTime(), readMs: at(0).getTime() });
  await reopen(db);
  // Removes changes of identity, so that all votes on the projects count.
  await sql`DELETE FROM identity_changes`.execute(db);
  // Listings stay active as long as attacks run.
  await sql`UPDATE projects SET expires_at = ${at(400)}`.execute(db);
  const holders = SUI_HOLDERS.map(({ walletAddress }) => walletAddress);
  await sql`CREATE TABLE simulation.honest AS SELECT id AS user_id, wallet_address = ANY (${holders}::text[]) AS is_holder FROM users`.execute(
    db,
  );
  await sql`ALTER TABLE simulation.honest ADD PRIMARY KEY (user_id)`.execute(db);
}

/** The seed closes the days up to its last vote; the simulation closes them again, with the votes of attacks. */
async function reopen(db: Db): Promise<void> {
  await reopenDays(db);
  await sql`DELETE FROM standing_days WHERE day >= ${dayOf(0)}::date`.execute(db);
  await sql`DELETE FROM restated_votes`.execute(db);
  await sql`UPDATE voter_standing SET state = DEFAULT, verified_days = DEFAULT, decided_until = DEFAULT, sunday = DEFAULT`.execute(
    db,
  );
}

/** A separate number from 0 to 1 for each row. */
const chance = (seed: number, ...columns: string[]) =>
  sql`((hashint8extended(${sql.join(
    columns.map((column) => sql.raw(column)),
    sql` * 1000003 + `,
  )}, ${seed}) & 1048575) / 1048576.0)`;

/** A crowd: most wallets came and left, some vote now, all on a few of the listings, which differ in appeal. */
export async function seedCrowdWorld(
  db: Db,
  { seed, voters, projects }: { seed: number; voters: number; projects: number },
): Promise<void> {
  await setClock(db, at(0));
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL session_replication_role = 'replica'`.execute(trx);
    await sql`INSERT INTO users (wallet_address, created_at)
      SELECT '0x' || encode(sha256(convert_to('crowd ' || n, 'utf8')), 'hex'), ${at(-90)}::timestamptz FROM generate_series(1, ${voters}::int) n`.execute(
      trx,
    );
    await sql`INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, created_at, version_at, expires_at, period_starts)
      SELECT 'project-' || n, 'Project ' || n, 'DeFi', 'A project of a crowd', repeat('0', 32), 'project', 1, ${at(-100)}::timestamptz + n * interval '1 minute', ${at(-100)},
        ${at(400)}, ARRAY[${at(-100)}::timestamptz] FROM generate_series(1, ${projects}::int) n`.execute(trx);
    // Four in five voters have left before the last 35 days; all votes of a voter are of one day.
    await sql`INSERT INTO votes (user_id, project_id, bullish, created_at)
      SELECT DISTINCT ON (u.id, p.id) u.id, p.id, ${chance(seed, 'u.id', 'p.id')} < 0.3 + 0.65 * ${chance(seed + 1, 'p.id')},
        ${at(0)}::timestamptz + interval '1 day' * (CASE WHEN ${chance(seed + 2, 'u.id')} < 0.8
          THEN -62 + floor(26 * ${chance(seed + 3, 'u.id')}) ELSE -35 + floor(${sql.lit(STANDING_VOTER_DAYS + HONEST_DAYS)} * ${chance(seed + 3, 'u.id')}) END
          + 0.9 * ${chance(seed + 4, 'u.id')}) + k * interval '7 seconds'
      FROM users u CROSS JOIN LATERAL generate_series(1, 1 + floor(5 * ${chance(seed + 5, 'u.id')})::int) k
      JOIN projects p ON p.id = 1 + floor(${projects}::int * ${chance(seed + 6, 'u.id', 'k')})`.execute(trx);
    await sql`INSERT INTO project_stats (project_id, bullish, bearish)
      SELECT p.id, count(*) FILTER (WHERE v.bullish), count(*) FILTER (WHERE NOT v.bullish) FROM projects p LEFT JOIN votes v ON v.project_id = p.id GROUP BY 1`.execute(
      trx,
    );
    await sql`INSERT INTO user_stats (user_id, total_votes, bullish, bearish, balance, tokens_earned, last_day)
      SELECT u.id, count(v.*), count(*) FILTER (WHERE v.bullish), count(*) FILTER (WHERE NOT v.bullish), ${sql.lit(VOTE_REWARD_TOKENS)} * count(v.*),
        ${sql.lit(VOTE_REWARD_TOKENS)} * count(v.*), max((v.created_at AT TIME ZONE 'UTC')::date) FROM users u LEFT JOIN votes v ON v.user_id = u.id GROUP BY 1`.execute(
      trx,
    );
    await sql`CREATE TABLE simulation.honest AS SELECT id AS user_id, ${chance(seed + 7, 'id')} < ${HOLDERS}::float8 AS is_holder FROM users`.execute(
      trx,
    );
    await sql`ALTER TABLE simulation.honest ADD PRIMARY KEY (user_id)`.execute(trx);
    await insertHistory(trx, seed);
  });
  await sql`ANALYZE`.execute(db);
}

async function insertHistory(db: Db, seed: number): Promise<void> {
  await sql`INSERT INTO standing_days (day, wallets, standing)
    SELECT (${at(0)}::timestamptz AT TIME ZONE 'UTC')::date - n, 0, 0 FROM generate_series(1, ${sql.lit(HISTORY_DAYS)}) n`.execute(
    db,
  );
  await sql`INSERT INTO voter_standing (user_id, read_on, history_read, history_held)
    SELECT user_id, (${at(0)}::timestamptz AT TIME ZONE 'UTC')::date - 1, (-1)::bit(64) >> 1, held::bit(64)
    FROM (
      SELECT h.user_id, CASE WHEN h.is_holder THEN sum(CASE WHEN ${chance(seed + 8, 'h.user_id', 'n')} < ${STEADY}::float8 THEN 1::bigint << n ELSE 0 END)::bigint
        ELSE 0 END AS held
      FROM simulation.honest h CROSS JOIN generate_series(0, ${sql.lit(HISTORY_DAYS - 1)}) n GROUP BY h.user_id, h.is_holder
    ) x`.execute(db);
}

/** True if an honest wallet holds enough on a day, as a condition on the row `r` of standing_reads. */
export const honestHolds = (seed: number, day: number) => sql<boolean>`coalesce((SELECT h.is_holder
  AND (hashint8extended(r.user_id * 1000003 + ${day}::bigint, ${seed}) & 1048575) / 1048576.0 < ${STEADY}::float8
  FROM simulation.honest h WHERE h.user_id = r.user_id), false)`;
