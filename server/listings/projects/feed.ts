/**
 * The personal feed (R11) from memory: one snapshot of all listed projects as serialized cards, and per request the
 * user's votes, read from the primary. A set of votes per user in memory would lag on other processes and return a card
 * that was just voted on. Requests that arrive together share one statement, which also returns the database's clock;
 * the end of a listing is compared with it.
 *
 * The order is a hash: `feed-hash.ts` equals PostgreSQL's `hashint8extended`. Without change notifications, or above
 * MAX_CARDS listings, `feed_of` computes the same feed in the database, and a test compares the two. A change
 * invalidates the snapshot; the next read compares id and `xmin` and fetches the rows that differ. Vote counters are a
 * separate value and are read again after three times their cost.
 *
 * Rejected: whole responses cached per user (every vote invalidates them), and project ids in the notifications of
 * votes (votes would cost more).
 */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '#db/client.ts';
import { FEED_LIMIT } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import type { IdentityChange } from '#shared/listings/identity.ts';
import type { Cache } from '#server/kit/cache/cache.ts';
import type { Feed, FeedPage } from '#server/kit/services.ts';
import {
  type ClosedDay,
  type Counts,
  type FeedCard,
  type FeedSnapshot,
  dayOf,
  placeOf,
  selectFeed,
  serializeCard,
  toSnapshot,
} from './feed-snapshot.ts';
import { identityChanges, listFeed, projectRows, toProject } from './queries.ts';
import { createVotedReader } from './voted-projects.ts';

/** More listings would take over 36 MB. Outside of the cache's bound: requests of one user must not evict data of all. */
const MAX_CARDS = 20_000;

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

function toPage(total: number, items: Array<{ json: Buffer; tag: string }>): FeedPage {
  const parts = items.flatMap(({ json }, index) => (index === 0 ? [json] : [COMMA, json]));
  const tags = items.map(({ tag }) => tag).join('');
  return {
    total,
    json: Buffer.concat([OPEN, ...parts, CLOSE]),
    etag: `W/"${hash('sha256', `${total}:${tags}`, 'base64url').slice(0, 22)}"`,
  };
}

interface FeedServices {
  db: Db;
  replica: Db;
  pool: pg.Pool;
  cache: Cache;
}

async function listVersions(db: Db): Promise<Map<number, string> | null> {
  const { rows } = await sql<{ ids: string | null; versions: string | null }>`
    SELECT string_agg(id::text, ',') AS ids, string_agg(xmin::text, ',') AS versions
    FROM (SELECT id, xmin FROM projects WHERE listed ORDER BY id LIMIT ${MAX_CARDS + 1}) p`.execute(db);
  const ids = rows[0]?.ids?.split(',') ?? [];
  const versions = rows[0]?.versions?.split(',') ?? [];
  return ids.length > MAX_CARDS ? null : new Map(ids.map((id, index) => [Number(id), versions[index] ?? '']));
}

const MOVING = [
  'period',
  'periodEndsAt',
  'bullishCount',
  'bearishCount',
  'totalVotes',
  'verified',
  'figuresOn',
  'changed',
  'verifiedSince',
] as const;
const omit = (project: Project, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(project).filter(([key]) => !keys.includes(key)));

async function loadCards(db: Db, ids: number[]): Promise<FeedCard[]> {
  if (ids.length === 0) return [];
  const rows = await projectRows(db)
    .select([
      'projects.ownerId',
      sql<string>`projects.xmin::text`.as('version'),
      sql<string>`(extract(epoch FROM projects.expires_at) * 1000000)::bigint::text`.as('endsUs'),
      sql<string>`(SELECT string_agg((extract(epoch FROM s) * 1000000)::bigint::text, ',' ORDER BY s) FROM unnest(period_starts) s)`.as(
        'startsUs',
      ),
    ])
    .where('projects.listed', '=', true)
    .where('projects.id', '=', sql<number>`ANY (${ids})`)
    .execute();
  return rows.map((row) => {
    const fixed = omit(toProject(row), MOVING);
    return {
      id: row.id,
      ownerId: row.ownerId,
      createdAt: row.createdAt,
      expiresAtUs: Number(row.endsUs),
      startsUs: row.startsUs.split(',').map(Number),
      version: row.version,
      place: placeOf(row.id),
      head: JSON.stringify(fixed).slice(0, -1),
      sent: null,
    };
  });
}

function createSnapshotLoader({ replica, cache }: FeedServices): () => Promise<FeedSnapshot | null> {
  let known = new Map<number, FeedCard>();
  let generation = -1;
  return async () => {
    if (generation !== cache.generation()) known = new Map();
    generation = cache.generation();
    const versions = await listVersions(replica);
    if (versions === null) return null;
    const before = known;
    const isKnown = (id: number, version: string): boolean => before.get(id)?.version === version;
    const changed = [...versions].filter(([id, version]) => !isKnown(id, version)).map(([id]) => id);
    const fresh = await loadCards(replica, changed);
    const kept = [...before.values()].filter(({ id, version }) => versions.get(id) === version);
    const cards = [...kept, ...fresh];
    known = new Map(cards.map((card) => [card.id, card]));
    return toSnapshot(cards);
  };
}

/** Returns one text: an array for each project would cost more after every batch of votes. */
async function loadCounts(db: Db, table: 'project_stats' | 'verified_stats'): Promise<Map<number, Counts>> {
  const { rows } = await sql<{ text: string | null }>`
    SELECT '[' || string_agg(project_id || ',' || bullish || ',' || bearish, ',') || ']' AS text
    FROM ${sql.table(table)} WHERE bullish + bearish > 0`.execute(db);
  const flat = JSON.parse(rows[0]?.text ?? '[]') as number[];
  const counts = new Map<number, Counts>();
  for (let at = 0; at < flat.length; at += 3)
    counts.set(flat[at] ?? 0, { bullish: flat[at + 1] ?? 0, bearish: flat[at + 2] ?? 0 });
  return counts;
}

const findClosed = (db: Db): Promise<ClosedDay | undefined> =>
  db
    .selectFrom('closedDays')
    .select([sql<string>`day::text`.as('day'), 'until'])
    .orderBy('closedDays.day', 'desc')
    .limit(1)
    .executeTakeFirst();

async function loadChanges(db: Db): Promise<Map<number, IdentityChange[]>> {
  const { rows } = await sql<{ id: number; changes: IdentityChange[] }>`
    SELECT projects.id, ${identityChanges} AS changes FROM open_identity_changes c JOIN projects ON projects.id = c.project_id
    WHERE projects.listed GROUP BY projects.id`.execute(db);
  return new Map(rows.map(({ id, changes }) => [id, changes]));
}

async function readFromDatabase(db: Db, userId: number, limit: number): Promise<FeedPage> {
  const { projects, total } = await listFeed(db, userId);
  const items = projects.slice(0, limit).map((project) => {
    const json = Buffer.from(JSON.stringify(project));
    return { json, tag: hash('sha256', json, 'base64url').slice(0, 11) };
  });
  return toPage(total, items);
}

export function createFeed(services: FeedServices): Feed {
  const { db, replica, pool, cache } = services;
  const readVoted = createVotedReader(pool);
  const loadSnapshot = createSnapshotLoader(services);
  const snapshotOf = () =>
    cache.getOrLoad('feed-cards', ['projects'], async () => ({ value: { snapshot: await loadSnapshot() } }));
  const countsOf = () =>
    cache.getOrLoad('feed-counts', ['counts'], async () => ({
      value: await loadCounts(replica, 'project_stats'),
      rests: true,
    }));
  const verifiedOf = () =>
    cache.getOrLoad('feed-verified', ['verified'], async () => ({
      value: { counts: await loadCounts(replica, 'verified_stats'), closed: await findClosed(replica) },
    }));
  const changesOf = () =>
    cache.getOrLoad('feed-changes', ['verified', 'projects'], async () => ({ value: await loadChanges(replica) }));

  return {
    async read(userId, limit = FEED_LIMIT) {
      if (!cache.isUsable()) return readFromDatabase(db, userId, limit);
      const { nowUs, keys: voted } = await readVoted(userId);
      if (!cache.isUsable()) return readFromDatabase(db, userId, limit);
      const { snapshot } = await snapshotOf();
      if (snapshot === null) return readFromDatabase(db, userId, limit);
      const [counts, verified, changes] = await Promise.all([countsOf(), verifiedOf(), changesOf()]);
      const viewer = { userId, nowUs, day: dayOf(nowUs), voted };
      const { cards, total } = selectFeed(snapshot, viewer, FEED_LIMIT, limit);
      return toPage(
        total,
        cards.map((card) =>
          serializeCard(card, nowUs, {
            counts: counts.get(card.id),
            verified: verified.counts.get(card.id),
            changes: changes.get(card.id),
            closed: verified.closed,
          }),
        ),
      );
    },
  };
}
