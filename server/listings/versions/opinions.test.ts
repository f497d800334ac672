import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { VersionAct } from '#shared/contract/versions.ts';
import { type IdentityChange, type IdentityField, mentionedChange, verifiedSince } from '#shared/listings/identity.ts';
import type { VoteCounts } from '#shared/numbers/interval.ts';
import { verifiedBound } from '#shared/figures/sorts.ts';
import { runs } from '#shared/testing/property-runs.ts';
import { trendWeight as weightOf } from '#shared/figures/trending.ts';
import { type AdminPanel, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProject } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';
import { giveStanding } from '#lab/testing/standing.ts';
import { insertChangeAt, insertUsers, insertVoteAt } from '#lab/testing/record.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { closeToday, reopenDays } from '#lab/testing/close.ts';

const server = await createTestApp();
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

const USERS = 6;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Updates of a listing: each sets one column, and two values of a column lead there and back. */
const UPDATES = [
  { column: 'name', value: 'Loud Frog', what: 'name' },
  { column: 'name', value: 'Quiet Frog', what: 'name' },
  { column: 'image_hash', value: '1'.repeat(32), what: 'picture' },
  { column: 'website', value: 'https://frog.example', what: 'website' },
  { column: 'description', value: 'Another text', what: null },
] as const satisfies Array<{ column: string; value: string; what: IdentityField | null }>;

interface Opinion {
  bullish: boolean;
  saidMs: number;
  /** When the voter took this direction. */
  turnedMs: number;
}
interface Change {
  identity: number;
  number: number;
  atMs: number;
  what: IdentityField;
  oldName: string | null;
}

/** A listing with its voters, kept by hand beside the database. */
class Listing {
  /** By voter: the opinions of each listing period in which the voter voted. */
  readonly votes: Array<Array<{ period: number; opinions: Opinion[] }>> = Array.from({ length: USERS }, () => []);
  readonly shown = new Map<string, string>([['name', 'Quiet Frog']]);
  period = 1;
  version = 1;
  identity = 1;
  changes: Change[] = [];
  /** Confirmed as the same project. */
  readonly confirmed: Change[] = [];

  /** Every second voter has standing. */
  static isVerified = (voter: number): boolean => voter % 2 === 0;

  /** The newest opinion of each voter. */
  private newest(isCounted: (voter: number) => boolean): Opinion[] {
    return this.votes.flatMap((votes, voter) => (isCounted(voter) ? (votes.at(-1)?.opinions.at(-1) ?? []) : []));
  }

  private static countsOf(opinions: readonly Opinion[]): VoteCounts {
    const bullish = opinions.filter((one) => one.bullish).length;
    return { bullish, bearish: opinions.length - bullish };
  }

  get all(): VoteCounts {
    return Listing.countsOf(this.newest(() => true));
  }
  get verified(): VoteCounts {
    return Listing.countsOf(this.newest(Listing.isVerified));
  }

  /** The row of identity_changes. */
  rowOf({ identity, atMs }: Change, today: number) {
    const since = this.newest(Listing.isVerified).filter(({ saidMs }) => saidMs >= atMs);
    const young = since.filter(({ turnedMs }) => weightOf(today - dayOf(turnedMs)) > 0);
    const trend = Listing.countsOf(young);
    const trendWeight = young.reduce((sum, { turnedMs }) => sum + weightOf(today - dayOf(turnedMs)), 0);
    return {
      identity,
      votesBefore: this.newest(() => true).filter(({ saidMs }) => saidMs < atMs).length,
      ...Listing.countsOf(since),
      trendBullish: trend.bullish,
      trendBearish: trend.bearish,
      trendWeight,
    };
  }

  identityChanges(): IdentityChange[] {
    return this.changes.map((change) => {
      const { votesBefore, bullish, bearish } = this.rowOf(change, 0);
      const oldName = change.oldName === this.shown.get('name') ? null : change.oldName;
      const changedAt = new Date(change.atMs).toISOString();
      return { changedAt, what: [change.what], oldName, votesBefore, bullish, bearish };
    });
  }

  /** The bound that 'Verified' ranks by. */
  get bound(): number {
    const since = verifiedSince(this.verified, this.identityChanges());
    return verifiedBound({ verified: this.verified, ...(since && { verifiedSince: since }) });
  }
}

interface Scene {
  listing: Listing;
  projectId: number;
  users: number[];
  panel: AdminPanel;
}

async function say({ listing, projectId, users }: Scene, voter: number, bullish: boolean, atMs: number): Promise<void> {
  const [userId, at] = [users[voter] ?? 0, new Date(atMs).toISOString()];
  const votes = listing.votes[voter] ?? [];
  const vote = votes.at(-1);
  if (vote?.period !== listing.period) {
    await insertVoteAt(db, { userId, projectId, period: listing.period, bullish, at });
    votes.push({ period: listing.period, opinions: [{ bullish, saidMs: atMs, turnedMs: atMs }] });
    return;
  }
  const last = vote.opinions.at(-1);
  const turnedMs = last?.bullish === bullish ? last.turnedMs : atMs;
  if (await insertChangeAt(db, { userId, projectId, bullish, at }))
    vote.opinions.push({ bullish, saidMs: atMs, turnedMs });
}

async function undo({ listing, projectId, users }: Scene, voter: number): Promise<void> {
  const { rows } = await sql<{ outcome: string }>`
    SELECT undo_vote(${users[voter] ?? 0}, ${projectId}, interval '1000 days') AS outcome`.execute(db);
  if (rows[0]?.outcome !== 'undone') return;
  const votes = listing.votes[voter] ?? [];
  votes.at(-1)?.opinions.pop();
  if (votes.at(-1)?.opinions.length === 0) votes.pop();
}

async function beginPeriod({ listing, projectId }: Scene, atMs: number): Promise<void> {
  const at = new Date(atMs).toISOString();
  await sql`UPDATE projects SET period_starts = period_starts || ${at}::timestamptz WHERE id = ${projectId}`.execute(
    db,
  );
  listing.period += 1;
}

/** Changes the listing as of that time. It gains no bound by it. */
async function update({ listing, projectId }: Scene, which: number, atMs: number): Promise<void> {
  const { column, value, what } = UPDATES[which % UPDATES.length] ?? UPDATES[0];
  const before = { bound: listing.bound, name: listing.shown.get('name') ?? '' };
  await sql`UPDATE projects SET ${sql.ref(column)} = ${value} WHERE id = ${projectId}`.execute(db);
  if (listing.shown.get(column) === value) return;
  listing.shown.set(column, value);
  listing.version += 1;
  const number = listing.version;
  if (what !== null) {
    listing.identity += 1;
    listing.changes.push({
      identity: listing.identity,
      number,
      atMs,
      what,
      oldName: what === 'name' ? before.name : null,
    });
  }
  await dateVersion(projectId, number, atMs);
  expect(listing.bound).toBeLessThanOrEqual(before.bound);
}

/** Moves the beginning of a version to this moment. */
async function dateVersion(projectId: number, number: number, atMs: number): Promise<void> {
  const at = new Date(atMs).toISOString();
  await behindTheTriggers(db, async (trx) => {
    await sql`UPDATE listing_versions SET created_at = ${at} WHERE project_id = ${projectId} AND number = ${number}`.execute(
      trx,
    );
    await sql`UPDATE identity_changes SET changed_at = ${at} WHERE project_id = ${projectId} AND number = ${number}`.execute(
      trx,
    );
  });
}

/** A moderator confirms that the newest change that matters left the project the same. */
async function confirmSame({ listing, projectId, panel }: Scene): Promise<void> {
  const change = listing.changes.pop();
  if (!change) return;
  await moderate({ projectId, panel }, change, 'same_project');
  listing.confirmed.push(change);
}

/** A moderator takes the last confirmation back. */
async function takeBack({ listing, projectId, panel }: Scene): Promise<void> {
  const change = listing.confirmed.pop();
  if (!change) return;
  await moderate({ projectId, panel }, change, 'other_project');
  listing.changes = [...listing.changes, change].toSorted((one, other) => one.identity - other.identity);
}

async function moderate(
  { projectId, panel }: Pick<Scene, 'projectId' | 'panel'>,
  { number }: Change,
  act: VersionAct,
): Promise<void> {
  const path = `/api/admin/projects/${projectId}/versions/${number}/moderate`;
  expect((await panel.post(path, { act, reason: 'Announced on their account' })).status).toBe(200);
}

const today = async (): Promise<number> => {
  const { rows } = await sql<{
    day: number;
  }>`SELECT (now() AT TIME ZONE 'UTC')::date - date '1970-01-01' AS day`.execute(db);
  return rows[0]?.day ?? 0;
};

/** Counts everything within one UTC day, and returns the day. */
async function countToday(): Promise<number> {
  const day = await today();
  await closeToday(services);
  // Later opinions are of today as well, and undo what was counted.
  await reopenDays(db);
  return (await today()) === day ? day : countToday();
}

async function expectExact({ listing, projectId }: Scene): Promise<void> {
  const day = await countToday();
  const rows = await db
    .selectFrom('identityChanges')
    .select(['identity', 'votesBefore', 'bullish', 'bearish', 'trendBullish', 'trendBearish', 'trendWeight'])
    .where('projectId', '=', projectId)
    .where('isSame', '=', false)
    .orderBy('identity')
    .execute();
  expect(rows).toEqual(listing.changes.map((change) => listing.rowOf(change, day)));
  expect(await findDifferences(db)).toEqual([]);
  await server.allNotified();
  const { body: page } = await visitor.get<ProjectPage>(`/api/projects/${projectId}`);
  const { bullishCount, bearishCount, verified, changed, verifiedSince: since } = page;
  const changes = listing.identityChanges();
  expect({ bullish: bullishCount, bearish: bearishCount, verified, changed, since }).toEqual({
    ...listing.all,
    verified: listing.verified,
    changed: mentionedChange(listing.all, changes),
    since: verifiedSince(listing.verified, changes),
  });
}

const event = fc.record({
  voter: fc.nat(USERS - 1),
  bullish: fc.boolean(),
  update: fc.nat(UPDATES.length - 1),
  // Within one day, on the next one, and after two.
  hours: fc.constantFrom(0.01, 5, 20, 30, 50),
  act: fc.constantFrom('say', 'say', 'say', 'say', 'update', 'update', 'undo', 'period', 'same', 'other'),
});

test('any order of votes, changes, undos, periods and renames counts each opinion before or since each change [R57 R60]', async () => {
  const outcome = fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 12, maxLength: 40, size: 'max' }), async (events) => {
      await empty(db);
      const users = await insertUsers(db, USERS);
      await giveStanding(
        db,
        users.filter((_, voter) => Listing.isVerified(voter)),
      );
      const projectId = await insertProject(db, { name: 'Quiet Frog' });
      const scene = { listing: new Listing(), projectId, users, panel: await signInAsAdmin(server) };
      const lengthMs = events.reduce((sum, { hours }) => sum + hours * HOUR_MS, HOUR_MS);
      let atMs = Math.floor(Date.now() - lengthMs);
      await dateVersion(projectId, 1, atMs);
      await sql`UPDATE projects SET period_starts = ARRAY[${new Date(atMs).toISOString()}::timestamptz] WHERE id = ${projectId}`.execute(
        db,
      );
      for (const { act, voter, bullish, update: which, hours } of events) {
        atMs += Math.floor(hours * HOUR_MS);
        if (act === 'say') await say(scene, voter, bullish, atMs);
        else if (act === 'update') await update(scene, which, atMs);
        else if (act === 'undo') await undo(scene, voter);
        else if (act === 'period') await beginPeriod(scene, atMs);
        else if (act === 'same') await confirmSame(scene);
        else await takeBack(scene);
      }
      await expectExact(scene);
    }),
    { ...runs(3), endOnFailure: true },
  );
  await expect(outcome).resolves.toBeUndefined();
}, 120_000);
