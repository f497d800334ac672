import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { deleteInBatches, keptSinceDay } from '#db/delete-in-batches.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { plural } from '#shared/numbers/plural.ts';
import { DATA } from '#db/tables.ts';
import { STANDING_VOTER_DAYS } from '#shared/states/votes.ts';
import { recordNotices } from '#server/books/notices.ts';
import { ofDay, opinionsGiven } from '#server/books/opinions.ts';
import type { Services } from '#server/kit/services.ts';
import { findRhythm, RHYTHM, type RhythmFinding, type RhythmWallet } from './rhythm-rule.ts';

/** Number of wallets compared at a time; those of one script mostly signed in one after the other. */
const GROUP = 2_000;

const ACTOR = 'rhythm rule';

async function openDays(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    SELECT d.day::date::text AS day
    FROM generate_series((SELECT min(day) FROM voter_networks)::timestamp, (now() AT TIME ZONE 'UTC')::date - interval '1 day', interval '1 day') AS d (day)
    WHERE EXISTS (SELECT FROM voter_networks n WHERE n.day = d.day::date)
      AND NOT EXISTS (SELECT FROM rhythm_days r WHERE r.day = d.day::date) ORDER BY 1`.execute(db);
  return rows.map(({ day }) => day);
}

async function networksOf(db: Db, day: string): Promise<number[][]> {
  const { rows } = await sql<{ ids: string }>`
    SELECT string_agg(user_id::text, ',' ORDER BY user_id) AS ids FROM voter_networks WHERE day = ${day}::date
    GROUP BY network HAVING count(*) > ${sql.lit(RHYTHM.minAlike)}`.execute(db);
  return rows.map(({ ids }) => ids.split(',').map(Number));
}

function* batchesOf(networks: readonly number[][]): Generator<number[][]> {
  let [batch, wallets]: [number[][], number] = [[], 0];
  for (const userIds of networks)
    for (let at = 0; at < userIds.length; at += GROUP) {
      const group = userIds.slice(at, at + GROUP);
      if (wallets + group.length > GROUP) {
        yield batch;
        [batch, wallets] = [[], 0];
      }
      batch.push(group);
      wallets += group.length;
    }
  if (batch.length > 0) yield batch;
}

async function walletsOf(db: Db, day: string, userIds: readonly number[]): Promise<Map<number, RhythmWallet>> {
  const { rows } = await sql<{
    userId: number;
    projectId: number;
    bullish: boolean;
    atMs: number;
    hasStanding: boolean;
  }>`
    SELECT v.user_id AS "userId", v.project_id AS "projectId", v.bullish, extract(epoch FROM v.said_at)::float8 * 1000 AS "atMs",
      s.state IS NOT DISTINCT FROM 'standing' AS "hasStanding"
    FROM ${opinionsGiven(ofDay(day))} v LEFT JOIN voter_standing s ON s.user_id = v.user_id
    WHERE v.user_id = ANY (${[...userIds]}::bigint[]) ORDER BY v.user_id, v.said_at`.execute(db);
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...byUser].map(([userId, votes]) => [userId, { userId, hasStanding: votes[0]?.hasStanding ?? false, votes }]),
  );
}

const detailOf = (day: string, { rule, alike }: RhythmFinding): string =>
  rule === 'order'
    ? `On ${day}, at least ${plural(alike, 'other wallet')} of your network voted on the same projects in the same order and direction`
    : `On ${day}, this wallet and ${plural(alike, 'other wallet')} of your network voted like clockwork`;

async function insertFindings(trx: Db, day: string, findings: readonly RhythmFinding[]): Promise<number> {
  const { rows } = await sql<{ userId: number; detail: string }>`
    INSERT INTO votes_set_aside (user_id, project_id, period, reason, detail, actor)
    SELECT v.user_id, v.project_id, v.period, 'rhythm', f.detail, ${ACTOR}
    FROM unnest(${findings.map(({ userId }) => userId)}::bigint[], ${findings.map((finding) => detailOf(day, finding))}::text[]) AS f (user_id, detail)
    JOIN ${opinionsGiven(ofDay(day))} v ON v.user_id = f.user_id
    ON CONFLICT DO NOTHING RETURNING user_id AS "userId", detail`.execute(trx);
  const notices = [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, votes]) => ({
    userId,
    kind: 'vote_excluded' as const,
    text: `${plural(votes.length, 'vote')} of yours ${votes.length === 1 ? 'is' : 'are'} excluded: ${votes[0]?.detail}`,
    link: '/portfolio',
  }));
  await recordNotices(trx, ...notices);
  return rows.length;
}

async function applyDay(db: Db, day: string): Promise<number> {
  return longTransaction(db, async (trx) => {
    const networks = await networksOf(trx, day);
    const wallets = networks.reduce((sum, userIds) => sum + userIds.length, 0);
    let aside = 0;
    for (const batch of batchesOf(networks)) {
      // oxlint-disable-next-line no-await-in-loop -- one batch after the other, so that memory stays bounded
      const found = await walletsOf(trx, day, batch.flat());
      const findings = batch.flatMap((userIds) => findRhythm(userIds.flatMap((userId) => found.get(userId) ?? [])));
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (findings.length > 0) aside += await insertFindings(trx, day, findings);
    }
    await sql`INSERT INTO rhythm_days (day, networks, wallets, votes_set_aside) VALUES (${day}::date, ${networks.length}, ${wallets}, ${aside})`.execute(
      trx,
    );
    return aside;
  });
}

export async function applyRhythm({ db, log }: Pick<Services, 'db' | 'log'>): Promise<number> {
  let aside = 0;
  for (const day of await openDays(db)) {
    // oxlint-disable-next-line no-await-in-loop -- one day after the other
    const found = await applyDay(db, day);
    if (found > 0) log.info({ day, votes: found }, 'the rhythm rule set votes aside');
    aside += found;
  }
  return aside;
}

export async function deleteOldNetworks({ db }: Pick<Services, 'db'>): Promise<number> {
  const oldest = keptSinceDay(DATA.networks.kept);
  await sql`DELETE FROM network_salts WHERE day < (now() AT TIME ZONE 'UTC')::date`.execute(db);
  await sql`DELETE FROM standing_readings WHERE day < ${keptSinceDay(DATA.readings.kept)}`.execute(db);
  // Networks are kept until their day was compared, so that deleting an account does not evade the rule.
  await deleteInBatches(db, {
    table: 'voter_networks',
    find: (limit) => sql`SELECT n.ctid FROM users u JOIN voter_networks n ON n.user_id = u.id
      WHERE u.deleted_at > now() - interval '2 days' * ${sql.lit(STANDING_VOTER_DAYS)}
        AND EXISTS (SELECT FROM rhythm_days r WHERE r.day = n.day) LIMIT ${limit}`,
  });
  return deleteInBatches(db, {
    table: 'voter_networks',
    find: (limit) => sql`SELECT ctid FROM voter_networks WHERE day <= ${oldest} LIMIT ${limit}`,
  });
}
