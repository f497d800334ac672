import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { isLongRun, runs } from '#shared/testing/property-runs.ts';
import { readSeen } from '#record/verify/memory.ts';
import { isGood } from '#record/verify/report.ts';
import { verifySite } from '#record/verify/verify.ts';
import { logKey, readLog, recordedByTables, replay } from '#lab/testing/record.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { DAY_MS, HonestSite } from './honest-site.ts';
import { buildVerifier, runBuiltVerifier } from './served-verifier.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-honest-'));
afterAll(() => rm(folder, { recursive: true }));

const verifier = await buildVerifier(folder);
afterEach(() => vi.useRealTimers());

const MAX_MS = isLongRun ? 24 * 3_600_000 : 150_000;
const DAY_MINUTES = 1_440;
const PASS_DAYS = 3;
const OFF_DAYS = 5;
const LONG_DAYS = 50;

interface Step {
  kind: keyof typeof STEPS;
  user: number;
  count: number;
  project: number;
  yes: boolean;
  /** Part of the longest time that this step may take. */
  share: number;
}

/** Acts and troubles of an honest site, with their weights. */
const STEPS = {
  vote: [12, (site, { user, count, project, yes }) => site.vote(user, count, project, yes)],
  change: [4, (site, { user, project, yes }) => site.change(user, project, yes)],
  undone: [1, (site, { user, project, yes }) => site.voteAndUndo(user, project, yes)],
  renew: [2, (site, { project }) => site.renew(project)],
  edit: [2, (site, { project, yes }) => site.edit(project, yes)],
  confirm: [2, (site, { project, yes }) => site.moderate(project, yes ? 'same_project' : 'other_project')],
  blank: [1, (site, { project }) => site.moderate(project, 'blank')],
  exclude: [2, (site, { user, project, yes }) => site.exclude(user, project, yes)],
  fund: [2, (site, { user, yes }) => site.fund(user, yes)],
  own: [1, (site, { project, yes }) => site.own(project, yes)],
  pass: [8, (site, { share, yes }) => site.pass(PASS_DAYS * DAY_MINUTES * share, yes)],
  off: [5, (site, { share }) => site.off(OFF_DAYS * DAY_MINUTES * share)],
  offForLong: [2, (site, { share }) => site.off(LONG_DAYS * DAY_MINUTES * share)],
  clockBehind: [2, (site, { share }) => site.skew(-1_000 * share)],
  clockAhead: [2, (site, { share, yes }) => site.skew((yes ? 59 : 5_000) * share)],
  clockRight: [2, (site) => site.skew(0)],
  open: [2, (site, { yes }) => site.openTransaction(yes)],
  commit: [3, (site) => site.commit()],
  backup: [2, (site) => site.backup()],
  restore: [2, (site) => site.restore()],
  servers: [2, (site) => site.publishOnServers()],
  crash: [2, (site) => site.crash()],
} satisfies Record<string, [weight: number, take: (site: HonestSite, step: Step) => Promise<unknown>]>;

const kinds = Object.entries(STEPS).flatMap(([kind, [weight]]) =>
  Array.from({ length: weight }, () => kind as Step['kind']),
);
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  user: fc.nat(22),
  count: fc.integer({ min: 1, max: 23 }),
  project: fc.nat(1),
  yes: fc.boolean(),
  share: fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
});

/** The record as the tables have it, and every line of the verifier, which stores its memory. */
async function expectHonest(site: HonestSite): Promise<void> {
  const [newest] = (await site.notes()).slice(-1);
  if (!newest) return;
  const stateFile = path.join(folder, `${new URL(site.server.url).port}.json`);
  // A node that is away: the chain of the tests has the real time.
  const rpcUrl = 'http://127.0.0.1:1';
  const { checks } = await verifySite({ origin: site.server.url, rpcUrl, stateFile, now: () => site.nowMs() });
  // A record that waits is not as new as it should be.
  const failed = checks.filter((check) => !isGood([check]) && !(check.name === 'Age' && site.obstacle !== null));
  const told = failed.map(({ name, detail, differences }) => [name, detail, ...differences].join(': '));
  expect(told.join('; ')).toBe('');
  expect((await readSeen(stateFile, site.server.url))?.note).toBe(newest.note);
  const { entries } = await readLog(site.server.url);
  expect(Object.fromEntries(replay(entries))).toEqual(Object.fromEntries(await recordedByTables(site.db)));
  expect(await findDifferences(site.db)).toEqual([]);
}

/** The longest time that the steps take. */
function daysOf(steps: readonly Step[]): number {
  const days: Partial<Record<Step['kind'], number>> = { pass: PASS_DAYS, off: OFF_DAYS, offForLong: LONG_DAYS };
  return steps.reduce((sum, { kind, share }) => sum + (kind === 'restore' ? 2 : (days[kind] ?? 0) * share), 0);
}

/** The same few histories each time: one of hundreds may find a fault that no change has made. A long run takes others. */
const FEW = isLongRun ? {} : { seed: 11 };

/** At 11:20, early enough for all steps to end before now. */
function startOf(steps: readonly Step[]): number {
  const today = Math.floor(Date.now() / DAY_MS);
  return (today - Math.ceil(daysOf(steps)) - 2) * DAY_MS + 680 * 60_000;
}

/** Takes the steps; after each that publishes, and at the end, the record has to hold. */
async function live(steps: readonly Step[]): Promise<string> {
  const site = await HonestSite.begin(env, startOf(steps));
  // The server's own clock says the same as its database's.
  vi.useFakeTimers({ toFake: ['Date'], now: site.siteMs });
  const clock = setInterval(() => vi.setSystemTime(site.siteMs), 20);
  try {
    let before = '';
    for (const one of steps) {
      const take: (site: HonestSite, step: Step) => Promise<unknown> = STEPS[one.kind][1];
      await take(site, one);
      const notes = JSON.stringify(await site.notes());
      if (notes !== before) await expectHonest(site);
      before = notes;
    }
    await site.arrive();
    await expectHonest(site);
    return await runBuiltVerifier(verifier, site.server.url);
  } finally {
    clearInterval(clock);
    vi.useRealTimers();
    await site.end();
  }
}

type Told = [kind: Step['kind'], share?: number, yes?: boolean];

/** Votes, and a day and a half, at whose end it is 23:20; then these steps; then a change, and votes on another project. */
function story(told: readonly Told[]): Step[] {
  const step = ([kind, share = 1, yes = true]: Told): Step => ({ kind, share, yes, user: 0, count: 23, project: 0 });
  const votes = (project: number): Step => ({ ...step(['vote']), project });
  return [votes(0), step(['pass', 0.5]), ...told.map(step), step(['change']), votes(1), step(['pass', 0.5])];
}

test.each<[what: string, told: Told[]]>([
  ['it was off over several midnights', [['change'], ['off'], ['renew'], ['vote'], ['off', 0.6]]],
  ['it was off for seven weeks', [['edit'], ['offForLong']]],
  ['a backup of the same day was restored', [['backup'], ['exclude'], ['restore']]],
  [
    'a backup of before the last published day was restored',
    [['backup'], ['renew'], ['vote'], ['pass', 0.7], ['restore']],
  ],
  ['a transaction was open at three midnights', [['open'], ['change'], ['pass'], ['commit']]],
  [
    'its clock was set back after it had published',
    [['clockAhead', 0.9], ['clockBehind'], ['renew'], ['vote'], ['pass', 0.4], ['clockRight']],
  ],
  [
    'its clock was ahead when a transaction began, and was set right before that ended',
    [['clockAhead', 0.9, false], ['open'], ['clockRight'], ['servers'], ['pass', 0.4], ['commit']],
  ],
  ['its clock was set back by half a minute for good', [['clockBehind', 0.0005], ['vote'], ['renew'], ['pass', 0.4]]],
  ['its clock was three days ahead', [['clockAhead', 0.9, false], ['vote'], ['pass', 0.4], ['clockRight']]],
  [
    'several servers published at once, and one ended before it had stored',
    [['off'], ['crash'], ['servers'], ['pass', 0.2], ['crash']],
  ],
])(
  'the served verifier accepts every line of the record of a site after %s [R63 R43]',
  async (_what, told) => {
    expect(await live(story(told))).toContain('Everything fits.');
  },
  MAX_MS,
);

test(
  'any history of an honest site has a record that verify accepts on every line, and remembers [R63 R40 R43]',
  async () => {
    const histories = fc.noBias(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }));
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        expect(await live(steps)).toContain('Everything fits.');
      }),
      { ...FEW, ...runs(3), interruptAfterTimeLimit: MAX_MS, endOnFailure: true },
    );
  },
  MAX_MS + 120_000,
);
