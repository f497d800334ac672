import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CHANGE_PAUSE_MS, CHANGE_WINDOW_HOURS, CHANGES_PER_WINDOW } from '#shared/constants.ts';
import type { Services } from '#server/kit/services.ts';
import type { Actor } from '#server/books/audit.ts';
import type { VersionAct } from '#shared/contract/versions.ts';
import { moderateVersion } from '#server/listings/versions/moderate.ts';
import { HttpError } from '#server/kit/http/errors.ts';
import { closeMissedDays } from '#server/figures/standing/plan.ts';
import { noteRestore, releaseRecord } from '#server/record/after-restore.ts';
import { closeDays } from '#server/record/close-days.ts';
import { refreshTopVoters } from '#server/voting/leaderboard/queries.ts';
import { type TestApp, createTestDatabase, startServer, type TestDatabase } from '#lab/testing/app.ts';
import { storeProof } from '#server/listings/ownership/store.ts';
import { insertProjects, insertUser } from '#lab/testing/builders.ts';
import { insertUsers } from '#lab/testing/record.ts';
import { giveStanding, readAt, withBalances } from '#lab/testing/standing.ts';
import { copyTables, putBack } from './backup-copy.ts';
import { installShiftedClock, shiftClock } from '#lab/testing/shifted-clock.ts';

const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
const VOTERS = 24;
const PROJECTS = 3;
/** A day is counted for the last time, and read, some time before midnight. */
const EVENING_MS = DAY_MS - 20 * MINUTE_MS;
const NIGHT_MS = 6 * MINUTE_MS;

const dayStart = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
const textOf = (ms: number): string => new Date(ms).toISOString();

/** Moments of a day at which the jobs do something that depends on it. */
function nextTask(ms: number): { at: number; isEvening: boolean } {
  const start = dayStart(ms);
  const [night, evening] = [start + NIGHT_MS, start + EVENING_MS];
  if (ms < night) return { at: night, isEvening: false };
  return ms < evening ? { at: evening, isEvening: true } : { at: start + DAY_MS + NIGHT_MS, isEvening: false };
}

const ACTOR: Actor = { actor: 'test', ip: '127.0.0.1' };

function expectNamed(error: unknown): void {
  if (!(error instanceof HttpError)) throw error;
}

interface Open {
  commit: () => Promise<void>;
}

/** An honest site whose clock the test moves, and whose jobs run at the times that matter. */
/** The real time, even while a test sets `Date`. */
const realMs = (): number => performance.timeOrigin + performance.now();

export class HonestSite {
  readonly server: TestApp;
  readonly other: TestApp;
  readonly db: Db;
  private readonly database: TestDatabase;
  private readonly services: Services;
  /** The world's time minus the real one; the database's clock minus the world's time. */
  private shiftMs: number;
  private skewMs = 0;
  private users: number[] = [];
  private tokens: Buffer[] = [];
  projects: number[] = [];
  private holding = new Set<string>();
  private open: Open | null = null;
  private hasBackup = false;

  private constructor(database: TestDatabase, servers: [TestApp, TestApp], startMs: number) {
    const [server, other] = servers;
    this.database = database;
    this.server = server;
    this.other = other;
    this.db = server.services.db;
    this.shiftMs = startMs - realMs();
    this.services = this.withNode(server.services);
  }

  static async begin(env: Record<string, string>, startMs: number): Promise<HonestSite> {
    const database = await createTestDatabase();
    const options = { env, cache: false };
    const setUp = await startServer(database.url, options);
    const url = await installShiftedClock(setUp.services.db, database.url);
    await setUp.close();
    const servers = [await startServer(url, options), await startServer(url, options)] as const;
    const site = new HonestSite(database, [...servers], startMs);
    await site.setClock();
    await site.populate();
    return site;
  }

  async end(): Promise<void> {
    await this.commit();
    await this.server.close();
    await this.other.close();
    await this.database.drop();
  }

  nowMs(): number {
    return realMs() + this.shiftMs;
  }

  /** The time by the database's clock. */
  get siteMs(): number {
    return this.nowMs() + this.skewMs;
  }

  private setClock(): Promise<unknown> {
    return shiftClock(this.db, this.shiftMs + this.skewMs);
  }

  /** The server with a node that knows the world's time and what wallets hold. */
  private withNode(services: Services): Services {
    const withNode = withBalances(services, (owner) => (this.holding.has(owner) ? 10n ** 12n : 0n));
    const { sui } = withNode;
    sui.ledgerService.getServiceInfo = (() => {
      const ms = this.nowMs();
      const response = {
        chainId: services.chainId ?? '',
        timestamp: { seconds: BigInt(Math.floor(ms / 1000)), nanos: 0 },
      };
      return Promise.resolve({ response });
    }) as unknown as typeof sui.ledgerService.getServiceInfo;
    return withNode;
  }

  private async populate(): Promise<void> {
    const { db } = this;
    const before = textOf(this.siteMs - 30 * DAY_MS);
    this.users = await insertUsers(db, VOTERS);
    this.projects = await insertProjects(db, PROJECTS, { ownerId: await insertUser(db) });
    await giveStanding(db, this.users);
    await sql`UPDATE users SET created_at = ${before}::timestamptz`.execute(db);
    await sql`UPDATE projects SET created_at = ${before}::timestamptz, period_starts = ARRAY[${before}::timestamptz],
      expires_at = ${before}::timestamptz + interval '3 years'`.execute(db);
    await sql`UPDATE listing_versions SET created_at = ${before}::timestamptz`.execute(db);
    this.tokens = this.users.map(() => randomBytes(32));
    await sql`INSERT INTO sessions (token_hash, user_id, expires_at) SELECT t, u, ${before}::timestamptz + interval '3 years'
      FROM unnest(${this.tokens}::bytea[], ${this.users}::bigint[]) AS x (t, u)`.execute(db);
    const wallets = await db.selectFrom('users').select('walletAddress').where('id', 'in', this.users).execute();
    this.holding = new Set(wallets.map(({ walletAddress }) => walletAddress));
  }

  private user(at: number): number {
    return this.users[at % VOTERS] ?? 0;
  }

  /** The last project is voted on by the open transaction alone, which locks its counters. */
  private project(at: number): number {
    return this.projects[at % (PROJECTS - 1)] ?? 0;
  }

  /** `count` users vote, each third one in the other direction. */
  async vote(first: number, count: number, project: number, bullish: boolean): Promise<void> {
    await this.castVotes(this.db, { first, count, projectId: this.project(project), bullish });
  }

  private async castVotes(
    db: Db,
    { first, count, projectId, bullish }: { first: number; count: number; projectId: number; bullish: boolean },
  ): Promise<void> {
    const places = Array.from({ length: Math.min(count, VOTERS - 1) }, (_, at) => (first + at) % (VOTERS - 1));
    await sql`SELECT cast_votes(${places.map((at) => this.tokens[at] ?? Buffer.alloc(32))}::bytea[], ${places.map((at) => this.user(at))}::bigint[],
      ${places.map(() => projectId)}::bigint[], ${places.map((at) => (at % 3 === 0 ? !bullish : bullish))}::boolean[], 25, interval '6 hours')`.execute(
      db,
    );
  }

  async change(user: number, project: number, bullish: boolean): Promise<void> {
    await sql`SELECT change_vote(${this.user(user)}, ${this.project(project)}, ${bullish}, ${CHANGES_PER_WINDOW}, ${CHANGE_WINDOW_HOURS} * interval '1 hour',
      ${CHANGE_PAUSE_MS} * interval '1 millisecond')`.execute(this.db);
  }

  /** Casts a vote and undoes it at once. Earlier votes that could still be undone stay: this site counts votes without waiting for that. */
  async voteAndUndo(user: number, project: number, bullish: boolean): Promise<void> {
    const [userId, projectId] = [this.user(user), this.project(project)];
    const { rows } = await sql<{ isUndoable: boolean }>`SELECT EXISTS (SELECT FROM opinions WHERE user_id = ${userId}
      AND project_id = ${projectId} AND said_at > clock_timestamp() - interval '5 seconds') AS "isUndoable"`.execute(
      this.db,
    );
    if (rows[0]?.isUndoable !== false) return;
    await this.vote(user, 1, project, bullish);
    await sql`SELECT undo_vote(${userId}, ${projectId}, interval '5 seconds')`.execute(this.db);
  }

  async renew(project: number): Promise<void> {
    await sql`UPDATE projects SET period_starts = period_starts || clock_timestamp()
      WHERE id = ${this.project(project)} AND period_starts[cardinality(period_starts)] < clock_timestamp() - interval '1 day'`.execute(
      this.db,
    );
  }

  async edit(project: number, isRename: boolean): Promise<void> {
    const column = sql.ref(isRename ? 'name' : 'description');
    await sql`UPDATE projects SET ${column} = ${`Edited ${this.siteMs}`} WHERE id = ${this.project(project)}`.execute(
      this.db,
    );
  }

  /** A moderator confirms the newest identity as the previous project, or takes that back, or blanks an earlier version. */
  async moderate(project: number, act: VersionAct): Promise<void> {
    const projectId = this.project(project);
    const { rows } = await sql<{
      number: number | null;
    }>`SELECT max(number)::int AS number FROM listing_versions WHERE project_id = ${projectId}
      AND (${act} = 'blank') <> (number = (SELECT number FROM identity_changes WHERE project_id = ${projectId} ORDER BY identity DESC LIMIT 1))`.execute(
      this.db,
    );
    const number = rows[0]?.number ?? 1;
    await moderateVersion(this.services, ACTOR, { id: projectId, number }, { act, reason: 'made up' }).catch(
      expectNamed,
    );
  }

  async exclude(user: number, project: number, isBack: boolean): Promise<void> {
    const key = sql`user_id = ${this.user(user)} AND project_id = ${this.project(project)}`;
    if (isBack) await sql`DELETE FROM votes_set_aside WHERE ${key}`.execute(this.db);
    else
      await sql`INSERT INTO votes_set_aside (user_id, project_id, period, reason, detail, actor)
        SELECT user_id, project_id, max(period), 'moderator', 'made up', 'test' FROM votes WHERE ${key} GROUP BY 1, 2 ON CONFLICT DO NOTHING`.execute(
        this.db,
      );
  }

  /** Gives the user's wallet SUI from now on, or takes it away. */
  async fund(user: number, isFunded: boolean): Promise<void> {
    const { walletAddress } = await this.db
      .selectFrom('users')
      .select('walletAddress')
      .where('id', '=', this.user(user))
      .executeTakeFirstOrThrow();
    if (isFunded) this.holding.add(walletAddress);
    else this.holding.delete(walletAddress);
  }

  async own(project: number, isLost: boolean): Promise<void> {
    const projectId = this.project(project);
    if (isLost) await sql`UPDATE ownerships SET state = 'lost' WHERE project_id = ${projectId}`.execute(this.db);
    else
      await storeProof(this.db, {
        projectId,
        state: 'controls',
        subject: '0x2::sui::SUI',
        wallet: `0x${'a'.repeat(64)}`,
        control: { objectType: '0x2::coin::TreasuryCap', objectId: `0x${'b'.repeat(64)}`, objectVersion: '1' },
        checkpoint: '1',
        reason: null,
      });
    // The trigger of ownership events reads the real time.
    await sql`UPDATE ownership_events SET created_at = clock_timestamp() WHERE created_at > clock_timestamp() AND NOT is_recorded`.execute(
      this.db,
    );
  }

  /** Opens a transaction that casts votes and stays open. */
  async openTransaction(isVoting: boolean): Promise<void> {
    await this.commit();
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const done = this.db.transaction().execute(async (trx) => {
      await sql`SELECT pg_current_xact_id()`.execute(trx);
      if (isVoting)
        await sql`SELECT cast_votes(ARRAY[${this.tokens[VOTERS - 1]}]::bytea[], ARRAY[${this.user(VOTERS - 1)}]::bigint[],
          ARRAY[${this.projects[PROJECTS - 1]}]::bigint[], ARRAY[true], 25, interval '6 hours')`.execute(trx);
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    this.open = {
      commit: async () => {
        end.resolve();
        await done;
      },
    };
  }

  async commit(): Promise<void> {
    const { open } = this;
    this.open = null;
    await open?.commit();
  }

  /** Runs the jobs as a server that is up does, or that has just started. */
  async runJobs(): Promise<void> {
    const now = new Date(this.siteMs);
    await closeMissedDays(this.db, now);
    await this.publish();
    await refreshTopVoters(this.services);
  }

  /** The name of an obstacle to publishing; null without one. */
  obstacle: string | null = null;

  async publish(): Promise<void> {
    this.obstacle = null;
    await closeDays(this.services).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      this.obstacle = error.code;
    });
  }

  async publishOnServers(): Promise<void> {
    const servers = [this.services, this.withNode(this.other.services), this.services];
    const outcomes = await Promise.allSettled(servers.map((each) => closeDays(each)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected' && !(outcome.reason instanceof HttpError)) throw outcome.reason as Error;
    await this.publish();
  }

  /** Ends a publication after its note is signed and before it is stored. */
  async crash(): Promise<void> {
    await sql
      .raw(`CREATE FUNCTION public.break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'crash'; END $$;
      CREATE TRIGGER break_off AFTER INSERT ON log_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION public.break_off()`)
      .execute(this.db);
    await closeDays(this.services).catch(() => undefined);
    await sql`DROP FUNCTION public.break_off CASCADE`.execute(this.db);
  }

  /** Lets time pass on a site that is up. `reads`: whether its node responds in the evening. */
  async pass(minutes: number, reads: boolean): Promise<void> {
    const endMs = this.siteMs + minutes * MINUTE_MS;
    for (let task = nextTask(this.siteMs); task.at <= endMs; task = nextTask(this.siteMs)) {
      await this.moveTo(task.at);
      if (task.isEvening && reads) await readAt(this.services, new Date(this.siteMs));
      await this.runJobs();
    }
    await this.moveTo(endMs);
  }

  private async moveTo(siteMs: number): Promise<void> {
    this.shiftMs += Math.max(0, siteMs - this.siteMs);
    await this.setClock();
  }

  /** Lets time pass while nothing runs, and then starts the site. */
  async off(minutes: number): Promise<void> {
    this.shiftMs += minutes * MINUTE_MS;
    await this.setClock();
    await this.runJobs();
  }

  /** Sets the database's clock to this much before or after the right time. */
  async skew(minutes: number): Promise<void> {
    this.skewMs = minutes * MINUTE_MS;
    await this.setClock();
    await this.runJobs();
  }

  async backup(): Promise<void> {
    await copyTables(this.db, 'backup');
    this.hasBackup = true;
  }

  /** Restores the backup. If published days are missing, the record waits and the operator restores a later moment. */
  async restore(): Promise<'continues' | 'waits' | 'none'> {
    if (!this.hasBackup) return 'none';
    await this.commit();
    await this.skew(0);
    await copyTables(this.db, 'lost');
    await putBack(this.db, 'backup');
    const waits = await noteRestore(this.db, new Date(this.siteMs), true);
    if (!waits) {
      await this.runJobs();
      return 'continues';
    }
    const notes = await this.notes();
    await this.pass(24 * 60, false);
    if ((await this.notes()).length !== notes.length) throw new Error('a record that waits was published');
    await putBack(this.db, 'lost');
    await releaseRecord(this.db);
    await this.runJobs();
    return 'waits';
  }

  /** Moves on to the real time, which the programs of strangers use. */
  async arrive(): Promise<void> {
    await this.commit();
    this.skewMs = 0;
    this.shiftMs = 0;
    await this.setClock();
    await this.runJobs();
  }

  async notes(): Promise<Array<{ size: number; root: string; note: string }>> {
    const rows = await this.db
      .selectFrom('logCheckpoints')
      .select(['size', 'root', 'signedNote'])
      .orderBy('size')
      .execute();
    return rows.map(({ size, root, signedNote }) => ({ size, root: root.toString('base64'), note: signedNote }));
  }
}
