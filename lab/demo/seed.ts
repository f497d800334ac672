import { readFile } from 'node:fs/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import { REVIEW_COST_TOKENS, SENTENCE_COST_TOKENS, VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { slugify } from '#shared/listings/slug.ts';
import { ADVISORY_LOCKS } from '#db/advisory-locks.ts';
import { openDatabase } from '#db/client.ts';
import { type EncodedImage, encodeImage, type ImageOptions } from '#db/encode-image.ts';
import { insertImage } from '#db/images.ts';
import type { DB } from '#db/schema.ts';
import { closeDaysAt } from '#server/record/close-days.ts';
import { planEvents } from './events.ts';
import {
  countVotes,
  type DemoVote,
  expiresAt,
  isBullishNow,
  listedAt,
  ownerOf,
  periodStarts,
  planVotes,
} from './history.ts';
import { DEMO_PROJECTS, type DemoProject } from './projects.ts';
import { type DemoReview, planReviews } from './reviews.ts';
import { insertStanding, STANDING_MIN_DAYS } from './standing.ts';
import { insertTalk } from './talk.ts';
import { DEMO_VOTERS, type DemoVoter } from './voters.ts';

/**
 * One data set for demo, development and journeys, always the same except for its dates. It is consistent: counters and
 * balances are those that the product would have left. Two things are given, not paid for: listings have no transaction,
 * and each writer was granted the price of a review or sentence, which is more than a demo voter can have earned.
 */

/** Waits for another process that seeds on a slow machine. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** The server signs the record when it starts. */
const UNSIGNED = {
  logPrivateKey: null,
  publicOrigin: '',
  standingMinDays: STANDING_MIN_DAYS,
  anchorKey: null,
  network: 'localnet' as const,
};

type Ids<T> = Map<T, number>;

/** Seeds a migrated database unless it has projects; returns whether it did. Several processes may call it at once. */
export async function seedIfEmpty(databaseUrl: string, log: (line: string) => void = () => {}): Promise<boolean> {
  // The close of a day works beside the connection that holds its lock.
  const options = { maxConnections: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS, applicationName: 'snapswipe-seed' };
  const database = openDatabase(databaseUrl, options);
  try {
    return await seed(database.db, log);
  } finally {
    await database.close();
  }
}

/** End of the demo, and of the readings of balances; later votes belong to the future. */
interface DemoTime {
  nowMs: number;
  readMs: number;
}

export async function seed(
  db: Kysely<DB>,
  log: (line: string) => void = () => {},
  { nowMs, readMs }: DemoTime = { nowMs: Date.now(), readMs: Date.now() },
): Promise<boolean> {
  const isSeeded = await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.seed})`.execute(trx);
    const found = await trx.selectFrom('projects').select('id').limit(1).executeTakeFirst();
    if (found !== undefined) return false;
    await clearJobs(trx);

    log(`encoding ${DEMO_PROJECTS.length} pictures`);
    const votes = planVotes(nowMs);
    const reviews = planReviews(votes, nowMs);
    const users = await insertVoters(trx, votes, nowMs);
    const projects = await insertProjects(trx, users, nowMs);
    await insertVotes(trx, votes, users, projects);
    await insertReasons(trx);
    await insertReviews(trx, reviews, users, projects);
    await insertTalk(trx);
    await insertStats(trx, votes, users, projects);
    await insertStanding(trx, readMs);
    await dateVersions(trx, projects, nowMs);
    await insertEvents(trx, votes, projects, nowMs);
    log(
      `seeded ${DEMO_PROJECTS.length} projects, ${DEMO_VOTERS.length} voters, ${votes.length} votes, ${reviews.length} reviews`,
    );
    return true;
  });
  if (isSeeded) await closeDaysAt({ db, config: UNSIGNED }, { now: new Date(nowMs) });
  return isSeeded;
}

/** Deletes what the jobs of a server have closed and counted of an empty site, up to a moment after the demo's votes. */
async function clearJobs(trx: Transaction<DB>): Promise<void> {
  const recorded = await trx.selectFrom('logCheckpoints').select('size').limit(1).executeTakeFirst();
  if (recorded) throw new Error('The public record of this database has begun: fill an empty database instead');
  for (const table of ['totalsState', 'totals', 'closedDays', 'standingDays', 'standingReadings'] as const)
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await trx.deleteFrom(table).execute();
}

async function insertEvents(
  trx: Transaction<DB>,
  votes: readonly DemoVote[],
  projects: Ids<DemoProject>,
  nowMs: number,
): Promise<void> {
  const events = planEvents(votes, nowMs);
  const column = <T>(of: (event: (typeof events)[number]) => T): T[] => events.map(of);
  await sql`INSERT INTO project_events_days (project_id, day, kind, source, count)
    SELECT x.project_id, date '1970-01-01' + x.day, x.kind::event_kind, x.source::event_source, x.count
    FROM unnest(${column(({ project }) => idOf(projects, project))}::bigint[], ${column(({ day }) => day)}::int[],
      ${column(({ kind }) => kind)}::text[], ${column(({ source }) => source)}::text[], ${column(({ count }) => count)}::bigint[])
      AS x (project_id, day, kind, source, count)`.execute(trx);
}

function idOf<T>(ids: Ids<T>, item: T): number {
  const id = ids.get(item);
  if (id === undefined) throw new RangeError('a demo row was not inserted');
  return id;
}

async function encodeAll(
  folder: string,
  names: readonly string[],
  options: ImageOptions = {},
): Promise<EncodedImage[]> {
  const files = names.map((name) => new URL(`${folder}/${name}.webp`, import.meta.url));
  return Promise.all(files.map(async (file) => encodeImage(await readFile(file), options)));
}

async function insertVoters(trx: Transaction<DB>, votes: readonly DemoVote[], nowMs: number): Promise<Ids<DemoVoter>> {
  const named = DEMO_VOTERS.filter(({ username }) => username !== null);
  const names = named.map(({ username }) => (username ?? '').toLowerCase());
  const avatars = await encodeAll('avatars', names, { square: true });
  for (const avatar of avatars) await insertImage(trx, avatar);
  const rows = DEMO_VOTERS.map((voter) => {
    const listings = DEMO_PROJECTS.filter((project) => ownerOf(project) === voter);
    const firstSeen = [
      ...listings.map((project) => listedAt(project, nowMs)),
      ...votes.filter((vote) => vote.voter === voter).map(({ atMs }) => atMs),
    ];
    return {
      walletAddress: voter.walletAddress,
      username: voter.username,
      avatarHash: avatars[named.indexOf(voter)]?.hash ?? null,
      twitterLink: voter.twitterLink,
      telegramLink: voter.telegramLink,
      createdAt: new Date(Math.min(nowMs, ...firstSeen) - 3_600_000),
    };
  });
  const inserted = await trx.insertInto('users').values(rows).returning(['id', 'walletAddress']).execute();
  const ids = new Map(inserted.map(({ id, walletAddress }) => [walletAddress, id]));
  return new Map(DEMO_VOTERS.map((voter) => [voter, idOf(ids, voter.walletAddress)]));
}

async function insertProjects(trx: Transaction<DB>, users: Ids<DemoVoter>, nowMs: number): Promise<Ids<DemoProject>> {
  // Listed by age, so that ids grow with time as elsewhere.
  const byAge = [...DEMO_PROJECTS].sort((one, other) => other.ageDays - one.ageDays);
  const names = byAge.map(({ name }) => slugify(name));
  const pictures = await encodeAll('pictures', names);
  for (const picture of pictures) await insertImage(trx, picture);
  const rows = byAge.map((project, i) => ({
    slug: slugify(firstName(project)),
    name: firstName(project),
    category: project.category,
    description: project.description,
    imageHash: pictures[i]?.hash ?? '',
    twitterHandle: project.twitterHandle,
    website: project.website ?? null,
    ownerId: idOf(users, ownerOf(project)),
    createdAt: new Date(listedAt(project, nowMs)),
    expiresAt: new Date(expiresAt(project, nowMs)),
    periodStarts: periodStarts(project, nowMs).map((startMs) => new Date(startMs)),
  }));
  const inserted = await trx.insertInto('projects').values(rows).returning(['id', 'slug']).execute();
  const ids = new Map(inserted.map(({ id, slug }) => [slug, id]));
  const projects = new Map(byAge.map((project) => [project, idOf(ids, slugify(firstName(project)))]));
  for (const project of byAge.filter(({ renamed }) => renamed)) {
    const name = { name: project.name, slug: slugify(project.name) };
    await trx.updateTable('projects').set(name).where('id', '=', idOf(projects, project)).execute();
  }
  return projects;
}

const firstName = ({ name, renamed }: DemoProject): string => renamed?.from ?? name;

/** Dates versions of listings back to the time of the demo, and counts the votes on either side of a new name (R60). */
async function dateVersions(trx: Transaction<DB>, projects: Ids<DemoProject>, nowMs: number): Promise<void> {
  await sql`UPDATE listing_versions v SET created_at = p.created_at FROM projects p WHERE p.id = v.project_id`.execute(
    trx,
  );
  for (const [{ renamed }, projectId] of projects) {
    if (!renamed) continue;
    const at = new Date(nowMs - renamed.daysAgo * 86_400_000);
    await sql`UPDATE listing_versions SET created_at = ${at} WHERE project_id = ${projectId} AND number = 2`.execute(
      trx,
    );
  }
  await sql`UPDATE identity_changes i SET changed_at = v.created_at FROM listing_versions v
    WHERE v.project_id = i.project_id AND v.number = i.number`.execute(trx);
  await sql`UPDATE identity_changes i SET votes_before = c.before, bullish = c.bullish, bearish = c.bearish FROM (
    SELECT i.project_id, i.identity, count(*) FILTER (WHERE v.said_at < i.changed_at) AS before,
      count(*) FILTER (WHERE v.state = 'verified' AND v.bullish AND v.said_at >= i.changed_at) AS bullish,
      count(*) FILTER (WHERE v.state = 'verified' AND NOT v.bullish AND v.said_at >= i.changed_at) AS bearish
    FROM identity_changes i JOIN vote_states v ON v.project_id = i.project_id AND v.replaced_at IS NULL GROUP BY 1, 2) c
    WHERE c.project_id = i.project_id AND c.identity = i.identity`.execute(trx);
}

async function insertVotes(
  trx: Transaction<DB>,
  votes: readonly DemoVote[],
  users: Ids<DemoVoter>,
  projects: Ids<DemoProject>,
): Promise<void> {
  const rows = votes.map(({ voter, project, bullish, atMs, period }) => ({
    userId: idOf(users, voter),
    projectId: idOf(projects, project),
    bullish,
    period,
    createdAt: new Date(atMs),
  }));
  await trx.insertInto('votes').values(rows).execute();
  const changes = votes.flatMap(({ voter, project, bullish, atMs, period, changes: later }) => {
    let last = { saidAt: new Date(atMs), turnedAt: new Date(atMs), bullish };
    return later.map((change) => {
      const said = new Date(change.atMs);
      const row = {
        userId: idOf(users, voter),
        projectId: idOf(projects, project),
        period,
        castAt: new Date(atMs),
        wasSaidAt: last.saidAt,
        wasBullish: last.bullish,
        saidAt: said,
        turnedAt: change.bullish === last.bullish ? last.turnedAt : said,
        bullish: change.bullish,
      };
      last = row;
      return row;
    });
  });
  await trx.insertInto('voteChanges').values(changes).execute();
}

/** Four of five voters said why they voted; bullish ones mostly for team and product, bearish ones for token and risk. */
async function insertReasons(trx: Transaction<DB>): Promise<void> {
  await sql`
    INSERT INTO vote_reasons (user_id, project_id, period, bullish, reasons, given_at)
    SELECT user_id, project_id, period, bullish, CASE WHEN bullish THEN (ARRAY[1, 2, 2, 3, 16])[pick] ELSE (ARRAY[4, 4, 8, 12, 1])[pick] END,
      said_at + interval '1 minute'
    FROM vote_states CROSS JOIN LATERAL (SELECT 1 + (7 * user_id + 3 * project_id) % 5 AS pick, (user_id + project_id) % 5 > 0 AS said) p
    WHERE said AND replaced_at IS NULL`.execute(trx);
}

const REVIEW = { burn: 'review_burn', price: REVIEW_COST_TOKENS, what: 'Review of' } as const;
const SENTENCE = { burn: 'sentence_burn', price: SENTENCE_COST_TOKENS, what: 'Sentence about' } as const;

async function insertReviews(
  trx: Transaction<DB>,
  reviews: readonly DemoReview[],
  users: Ids<DemoVoter>,
  projects: Ids<DemoProject>,
): Promise<void> {
  const rows = reviews.map(({ vote, content, atMs, period }) => ({
    projectId: idOf(projects, vote.project),
    userId: idOf(users, vote.voter),
    content,
    period,
    createdAt: new Date(atMs),
  }));
  const inserted = await trx
    .insertInto('reviews')
    .values(rows)
    .returning(['id', 'userId', 'period', 'createdAt'])
    .execute();
  const entries = inserted.flatMap(({ id: ref, userId, period, createdAt }) => {
    const { burn, price } = period === null ? REVIEW : SENTENCE;
    return [
      { kind: 'grant' as const, amount: price, userId, ref, createdAt },
      { kind: burn, amount: -price, userId, ref, createdAt },
    ];
  });
  await trx.insertInto('tokenLedger').values(entries).execute();
  const lines = reviews.map(({ vote, atMs, period }) => {
    const { what, price } = period === null ? REVIEW : SENTENCE;
    return {
      userId: idOf(users, vote.voter),
      kind: 'review_posted' as const,
      text: `${what} ${vote.project.name} posted: ${price} Snaps have been burned`,
      tokens: -price,
      createdAt: new Date(atMs),
    };
  });
  await trx.insertInto('activity').values(lines).execute();
}

async function insertStats(
  trx: Transaction<DB>,
  votes: readonly DemoVote[],
  users: Ids<DemoVoter>,
  projects: Ids<DemoProject>,
): Promise<void> {
  const userStats = [...users].map(([voter, userId]) => {
    const own = votes.filter((vote) => vote.voter === voter);
    const { windowStartedMs, lastDay: daysSince1970, ...stats } = countVotes(own);
    const lastDay = own.length === 0 ? null : new Date(daysSince1970 * 86_400_000).toISOString().slice(0, 10);
    const windowStartedAt = windowStartedMs === null ? null : new Date(windowStartedMs);
    const tokensEarned = own.length * VOTE_REWARD_TOKENS;
    return { ...stats, userId, lastDay, windowStartedAt, tokensEarned, balance: tokensEarned };
  });
  await trx.insertInto('userStats').values(userStats).execute();
  const projectStats = [...projects].map(([project, projectId]) => {
    // Oldest first, so that the newest vote of each voter stays.
    const cast = [
      ...new Map(votes.filter((vote) => vote.project === project).map((vote) => [vote.voter, vote])).values(),
    ];
    const bullish = cast.filter(isBullishNow).length;
    return { projectId, bullish, bearish: cast.length - bullish };
  });
  await trx.insertInto('projectStats').values(projectStats).execute();
}
