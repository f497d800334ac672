import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '#db/client.ts';
import { decodeBundle } from '#record/log/bundles.ts';
import { openCheckpoint } from '#record/log/checkpoint.ts';
import { hashLeaf, isSameHash } from '#record/log/hashes.ts';
import { parseVerifier } from '#record/log/note.ts';
import { bundlePath, type Tile, TILE_WIDTH, tileAt, TreeBuilder, tilePath } from '#record/log/tiles.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import {
  type EntryOf,
  decodeEntry,
  type OpinionEntry,
  type RecordEntry,
  type VoteKey,
} from '#record/entries/entries.ts';
import type { VoteState, VoterState } from '#shared/states/votes.ts';
import { isGood } from '#record/verify/report.ts';
import { verifySite } from '#record/verify/verify.ts';
import { startServer } from './app.ts';
import { closeToday, closeUpTo } from './close.ts';
import { setState } from './standing.ts';

export const logKey = (): string => randomBytes(32).toString('base64');

export async function insertUsers(db: Db, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO users (wallet_address)
    SELECT '0x' || encode(sha256(uuid_send(gen_random_uuid())), 'hex') FROM generate_series(1, ${count}) RETURNING id`.execute(
    db,
  );
  const ids = rows.map(({ id }) => id);
  await sql`INSERT INTO user_stats (user_id) SELECT unnest(${ids}::bigint[])`.execute(db);
  return ids;
}

interface VotesAt {
  period?: number;
  bullish?: boolean;
  users: number[];
  projects: number[];
  at: string;
}

/** A vote of each user on each project as if it had been cast at that time, with counters and tokens; every third user is bearish. */
export async function insertVotesAt(db: Db, { users, projects, at, period = 1, bullish }: VotesAt): Promise<void> {
  await sql`
    WITH cast_now AS (
      INSERT INTO votes (user_id, project_id, bullish, created_at, period)
      SELECT user_id, project_id, coalesce(${bullish ?? null}::boolean, ord % 3 <> 0), ${at}::timestamptz, ${period}::smallint
      FROM unnest(${users}::bigint[]) WITH ORDINALITY AS u(user_id, ord) CROSS JOIN unnest(${projects}::bigint[]) AS p(project_id)
      RETURNING user_id, project_id, bullish::int AS up, (NOT bullish)::int AS down
    ), counted AS (
      SELECT project_id, up, down FROM cast_now
      UNION ALL
      SELECT c.project_id, -o.bullish::int, -(NOT o.bullish)::int FROM cast_now c CROSS JOIN LATERAL (
        SELECT o.bullish FROM opinions o WHERE o.user_id = c.user_id AND o.project_id = c.project_id ORDER BY o.period DESC, o.said_at DESC LIMIT 1) o
    ), of_project AS (
      UPDATE project_stats s SET bullish = s.bullish + c.up, bearish = s.bearish + c.down
      FROM (SELECT project_id, sum(up) AS up, sum(down) AS down FROM counted GROUP BY 1) c WHERE c.project_id = s.project_id
    )
    UPDATE user_stats s SET total_votes = s.total_votes + c.votes, bullish = s.bullish + c.up, bearish = s.bearish + c.down,
      balance = s.balance + 10 * c.votes, tokens_earned = s.tokens_earned + 10 * c.votes
    FROM (SELECT user_id, count(*) AS votes, sum(up) AS up, sum(down) AS down FROM cast_now GROUP BY 1) c WHERE c.user_id = s.user_id`.execute(
    db,
  );
}

export const insertVoteAt = (
  db: Db,
  { userId, projectId, ...vote }: { userId: number; projectId: number } & Omit<VotesAt, 'users' | 'projects'>,
): Promise<void> => insertVotesAt(db, { users: [userId], projects: [projectId], ...vote });

/**
 * The newest vote of this user on this project in this direction from that time on, as if it had been changed or
 * confirmed then, with counters. Returns false if it was changed on that day already, or the moment is not later.
 */
export async function insertChangeAt(
  db: Db,
  { userId, projectId, bullish, at }: { userId: number; projectId: number; bullish: boolean; at: string },
): Promise<boolean> {
  const { rows } = await sql<{ made: number }>`
    WITH last AS (
      SELECT * FROM opinions WHERE user_id = ${userId} AND project_id = ${projectId} ORDER BY period DESC, said_at DESC LIMIT 1
    ), made AS (
      INSERT INTO vote_changes (user_id, said_at, cast_at, was_said_at, turned_at, project_id, period, bullish, was_bullish)
      SELECT user_id, ${at}::timestamptz, created_at, said_at, CASE WHEN bullish = ${bullish} THEN turned_at ELSE ${at}::timestamptz END,
        project_id, period, ${bullish}, bullish FROM last
      WHERE said_at < ${at}::timestamptz
        AND (said_at = created_at OR (said_at AT TIME ZONE 'UTC')::date < (${at}::timestamptz AT TIME ZONE 'UTC')::date)
      RETURNING bullish::int - was_bullish::int AS up
    ), of_project AS (
      UPDATE project_stats SET bullish = bullish + up, bearish = bearish - up FROM made WHERE project_id = ${projectId}
    ), of_user AS (
      UPDATE user_stats SET bullish = bullish + up, bearish = bearish - up FROM made WHERE user_id = ${userId}
    )
    SELECT count(*)::int AS made FROM made`.execute(db);
  return rows[0]?.made === 1;
}

export const setStanding = (db: Db, userId: number, state: VoterState): Promise<void> => setState(db, [userId], state);

/** Publishes everything that is committed by now, with its day; returns the size of the log. */
export async function publishAll(services: Parameters<typeof closeToday>[0]): Promise<number> {
  await closeToday(services);
  const newest = services.db.selectFrom('logCheckpoints').select('size').orderBy('size', 'desc').limit(1);
  return (await newest.executeTakeFirstOrThrow()).size;
}

const DAY_MS = 86_400_000;
const midnightMs = (daysAgo: number): number => (Math.floor(Date.now() / DAY_MS) - daysAgo) * DAY_MS;

export const timeOf = (daysAgo: number, atMs: number): string => new Date(midnightMs(daysAgo) + atMs).toISOString();

export const publishDayAgo = (services: Parameters<typeof closeToday>[0], daysAgo: number): Promise<void> =>
  closeUpTo(services, timeOf(daysAgo, 0).slice(0, 10));

async function readBytes(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} responded with ${response.status}`);
  return response.bytes();
}

export async function readLog(url: string) {
  const summary = (await (await fetch(`${url}/api/record`)).json()) as RecordSummary;
  const note = await (await fetch(`${url}/log/checkpoint`)).text();
  const checkpoint = openCheckpoint(note, parseVerifier(summary.verifierKey ?? ''));
  const { size } = checkpoint;
  const tiles: Array<[tile: Tile, bytes: Uint8Array]> = [];
  const builder = new TreeBuilder(0, [], (tile, bytes) => tiles.push([tile, bytes]));
  const entries: RecordEntry[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const width = tileAt(0, index, size)?.width ?? 0;
    const bundle = decodeBundle(await readBytes(`${url}/log/${bundlePath({ index, width })}`), width);
    for (const entry of bundle) builder.append(hashLeaf(entry));
    entries.push(...bundle.map(decodeEntry));
  }
  tiles.push(...builder.partialTiles().map(({ tile, bytes }): [Tile, Uint8Array] => [tile, bytes]));
  for (const [tile, bytes] of tiles) {
    expect([tile, isSameHash(await readBytes(`${url}/log/${tilePath(tile)}`), bytes)]).toEqual([tile, true]);
  }
  expect(Buffer.from(builder.root() ?? []).toString('hex')).toBe(Buffer.from(checkpoint.root).toString('hex'));
  return { checkpoint, entries };
}

/** The newest recorded opinion of each vote, with its day and present state; a vote that is recorded twice fails. */
export function replay(
  entries: readonly RecordEntry[],
): Map<string, Pick<EntryOf<'vote'>, 'bullish' | 'day' | 'state' | 'identity'>> {
  const votes: ReturnType<typeof replay> = new Map();
  const single = entries.flatMap((entry): Array<OpinionEntry | (EntryOf<'state'> & VoteKey)> => {
    if (entry.kind === 'state') return entry.pseudonyms.map((pseudonym) => ({ ...entry, pseudonym }));
    return entry.kind === 'vote' || entry.kind === 'change' ? [entry] : [];
  });
  for (const { pseudonym, ...entry } of single) {
    const key = `${entry.projectId} ${entry.period} ${pseudonym}`;
    const known = votes.get(key);
    if (entry.kind !== 'state') {
      expect([key, known !== undefined]).toEqual([key, entry.kind === 'change']);
      const { bullish, day, state, identity } = entry;
      votes.set(key, { bullish, day, state, identity });
    } else {
      expect([key, known?.state]).not.toEqual([key, entry.state]);
      if (!known) throw new Error(`no vote for ${key}`);
      known.state = entry.state;
    }
  }
  return votes;
}

export async function recordedByTables(db: Db): Promise<ReturnType<typeof replay>> {
  const { rows } = await sql<{
    projectId: number;
    period: number;
    pseudonym: Buffer;
    bullish: boolean;
    day: string;
    state: VoteState;
    identity: number;
  }>`
    SELECT v.project_id, v.period, v.bullish, (v.said_at AT TIME ZONE 'UTC')::date::text AS day,
      (SELECT coalesce(max(l.identity), 1) FROM listing_versions l WHERE l.project_id = v.project_id AND l.created_at <= v.said_at) AS identity,
      substr(sha256(s.secret || int8send(v.project_id)), 1, 16) AS pseudonym,
      CASE WHEN v.replaced_at < c.until THEN 'replaced' ELSE v.unreplaced_state END AS state
    FROM opinion_states v JOIN voter_secrets s USING (user_id) CROSS JOIN (SELECT max(until) AS until FROM log_checkpoints) c
    WHERE v.said_at < c.until AND (v.changed_at >= c.until) IS NOT FALSE`.execute(db);
  return new Map(
    rows.map(({ projectId, period, pseudonym, ...vote }) => [`${projectId} ${period} ${toBase64Url(pseudonym)}`, vote]),
  );
}

/** The checks of a stranger on a server that has just started and has cached nothing. */
export async function verifyAsStranger(databaseUrl: string, env: Record<string, string>, stateFile?: string) {
  const fresh = await startServer(databaseUrl, { env });
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 300));
  try {
    const { checks } = await verifySite({ origin: fresh.url, wait, ...(stateFile ? { stateFile } : {}) });
    const failed = checks.filter((check) => !isGood([check]));
    return { checks, failed, origin: fresh.url, routes: fresh.app.traffic() };
  } finally {
    await fresh.close();
  }
}
