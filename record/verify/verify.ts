import type { LeaderboardRow, ListedProject, ProjectPage } from '#shared/contract/projects.ts';
import type { Recount, RecordSummary } from '#shared/contract/record.ts';
import type { Supply } from '#shared/contract/supply.ts';
import type { Project } from '#shared/contract/types.ts';
import type { Verifier } from '../log/note.ts';
import { dayEndMs, dayOfMs } from '../entries/days.ts';
import { remoteFiles, RecordUnavailable } from '../proof/remote-files.ts';
import { RecordError } from '../entries/entries.ts';
import { checkAnchors } from './anchors.ts';
import { type Chain, openChain } from './chain.ts';
import { checkAge } from './checkpoints.ts';
import { DayChecker, type RecordedDays } from './day-checks.ts';
import { drawnCounts } from './drawn.ts';
import type { ProjectHistory } from './history.ts';
import { allInOrder } from './in-order.ts';
import { readSeen, type Seen, StateError, writeSeen } from './memory.ts';
import { NowChecker } from './now-checks.ts';
import { NOT_READ, type RecordResult, verifyRecord } from './record.ts';
import type { OwnVote, Recounted } from './recount.ts';
import { type Check, Differences, isGood, unchecked } from './report.ts';
import { readSite, type Site } from './site.ts';
import {
  checkCounters,
  checkDatabase,
  checkOrders,
  checkSupply,
  countsOf,
  hasDigests,
  mismatches,
  type ShownCounts,
} from './site-checks.ts';
import { checkTrust } from './trust-checks.ts';
import { VersionChecker } from './version-checks.ts';
import { checkWitnesses } from './witnesses.ts';

export interface VerifyOptions {
  /** `https://snapswipe.example`, without a slash at the end. */
  origin: string;
  /** The Sui node that is asked for anchors; the site's own by default. */
  rpcUrl?: string | undefined;
  /** The log's key as its users know it; the site's own by default. */
  verifierKey?: string | undefined;
  /** Folder of the state of checked sites; null: nothing is stored. */
  stateFile?: string | null;
  /** Witnesses that the caller trusts, and how many of them must have cosigned the newest checkpoint. */
  witnesses?: readonly Verifier[];
  quorum?: number;
  /** A voter's secret: every vote of that voter is listed. */
  secret?: Uint8Array | null;
  onProgress?: (text: string) => void;
  /** Waits before a busy server is asked again. */
  wait?: (ms: number) => Promise<void>;
  /** This machine's clock, in milliseconds since 1970. */
  now?: () => number;
}

export interface Verification {
  title: string;
  checks: Check[];
  /** A line for each vote of `secret`. */
  ownVotes: string[];
}

const READ_ATTEMPTS = 120;
const READ_WAIT_MS = 1_000;
const ORDER_ATTEMPTS = 2;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes a check. Data that cannot be read is neither a difference nor a proof. */
async function attempt(name: string, work: () => Promise<Check> | Check): Promise<Check> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RecordUnavailable || error instanceof StateError) return unchecked(name, error.message);
    if (!(error instanceof RecordError)) throw error;
    const differences = new Differences();
    differences.add(error.message);
    return differences.check(name, '');
  }
}

/**
 * Reads until the response is new enough, for two minutes at most: a busy server caches expensive figures for a while.
 */
async function readUntil<T>(
  read: () => Promise<T>,
  isNewEnough: (found: T) => boolean,
  wait: (ms: number) => Promise<void>,
): Promise<T> {
  let found = await read();
  for (let at = 0; at < READ_ATTEMPTS && !isNewEnough(found); at += 1) {
    await wait(READ_WAIT_MS);
    found = await read();
  }
  return found;
}

/** Every project as the site shows it. */
interface Shown {
  leaderboard: LeaderboardRow[];
  /** The public list. */
  newest: Project[];
  /** The list of the open API. */
  open: ListedProject[];
  pages: ProjectPage[];
  /** Pages of the open API. */
  openPages: ProjectPage[];
  drawn: ShownCounts[];
  problems: string[];
  /** Recorded projects without a page. */
  hidden: number;
}

/** A project as each of its addresses shows it. */
interface ShownProject {
  page: ProjectPage | null;
  open: ProjectPage | null;
  drawn: ShownCounts[];
  /** Why the response of an address is not a page of this project. */
  problem: string | null;
}

async function readProject(site: Site, id: number): Promise<ShownProject> {
  const shown: ShownProject = { page: null, open: null, drawn: [], problem: null };
  try {
    shown.page = await site.project(id);
    if (!shown.page) return shown;
    const html = await site.html(shown.page.slug);
    shown.open = await site.open.project(id);
    if (!shown.open || html === null) throw new RecordError(`project ${id} has a page, but not under every address`);
    shown.drawn = drawnCounts(id, html);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    shown.problem = error.message;
  }
  return shown;
}

async function readShown({ site, recounted }: Pick<SiteTask, 'site' | 'recounted'>): Promise<Shown> {
  const [leaderboard, newest, open] = [await site.leaderboard(), await site.newest(), await site.open.projects()];
  const ids = new Set([
    ...[...leaderboard, ...newest, ...open].map(({ id }) => id),
    ...recounted.projects.map(({ projectId }) => projectId),
  ]);
  const all = await allInOrder([...ids], (id) => readProject(site, id));
  return {
    leaderboard,
    newest,
    open,
    pages: all.flatMap(({ page }) => page ?? []),
    openPages: all.flatMap((project) => project.open ?? []),
    drawn: all.flatMap(({ drawn }) => drawn),
    problems: all.flatMap(({ problem }) => problem ?? []),
    hidden: all.filter(({ page, problem }) => !page && !problem).length,
  };
}

const countersOfProjects = (projects: readonly Project[], where: string): ShownCounts[] =>
  projects.map(({ id, bullishCount, bearishCount }) => {
    return { projectId: id, bullish: bullishCount, bearish: bearishCount, where };
  });
const countersOfRows = (rows: readonly LeaderboardRow[], where: string): ShownCounts[] =>
  rows.map(({ id, bullishVotes, bearishVotes }) => {
    return { projectId: id, bullish: bullishVotes, bearish: bearishVotes, where };
  });

/** Every counter in the response, and the place that shows it. */
const countersOf = ({ leaderboard, newest, open, pages, openPages, drawn }: Shown): ShownCounts[] => [
  ...countersOfRows(leaderboard, 'the leaderboard'),
  ...countersOfRows(open, 'the list of /api/v1'),
  ...countersOfProjects(newest, 'the public list'),
  ...countersOfProjects(pages, 'its page'),
  ...countersOfProjects(openPages, 'its page of /api/v1'),
  ...drawn,
];

/** Orders that differ are read again, because votes may have moved a project between two reads. */
async function checkOrdersOf(task: SiteTask, shown: Shown): Promise<Check> {
  const { site, wait } = task;
  let check = checkOrders({ ...shown, voters: await site.voters() });
  for (let at = 0; at < ORDER_ATTEMPTS && check.state !== 'ok'; at += 1) {
    await wait(READ_WAIT_MS);
    check = checkOrders({ ...(await readShown(task)), voters: await site.voters() });
  }
  return check;
}

/** Pages that differ are read again, because a day may have begun, or votes arrived, between two reads. */
async function checkNowOf(task: SiteTask, shown: Shown): Promise<Check> {
  const { site, nowChecker, wait } = task;
  const compare = async ({ pages, openPages, leaderboard, open, newest }: Shown): Promise<Check> => {
    const { asOf, votesSince: newer } = await site.recount();
    const shownNow = [...pages, ...openPages, ...leaderboard, ...open, ...newest];
    return nowChecker.compare(shownNow, asOf, newer);
  };
  let check = await compare(shown);
  for (let at = 0; at < ORDER_ATTEMPTS && check.state !== 'ok'; at += 1) {
    await wait(READ_WAIT_MS);
    check = await compare(await readShown(task));
  }
  return check;
}

/** Projects that the record gives more than one identity. */
const changedOf = ({ versions }: RecordResult): ReadonlySet<number> =>
  new Set([...versions].flatMap(([id, recorded]) => (recorded.versions.some((one) => one.identity > 1) ? [id] : [])));

/** Listings that are hidden from strangers are left out. */
async function checkVersionsOf({ site, record, recounted }: SiteTask, { pages, leaderboard }: Shown): Promise<Check> {
  const checker = new VersionChecker();
  const { votesSince: newer } = await site.recount();
  const totals = new Map<number, number>();
  for (const { projectId, bullish, bearish } of recounted.projects)
    totals.set(projectId, (totals.get(projectId) ?? 0) + bullish + bearish);
  const rows = new Map(leaderboard.map((row) => [row.id, row]));
  for (const page of pages) {
    const { id } = page;
    const recorded = record.versions.get(id);
    if (!recorded) continue;
    const shown = (await site.versions(id)) ?? [];
    checker.compare(id, recorded, shown);
    const byIdentity = recounted.identities.get(id) ?? new Map<number, number>();
    const votes = { total: totals.get(id) ?? 0, byIdentity, newer };
    for (const figures of [page, rows.get(id) ?? page]) checker.compareFigures(figures, recorded, shown, votes);
  }
  return checker.check();
}

interface SiteTask {
  site: Site;
  record: RecordResult;
  recounted: Recounted;
  days: RecordedDays;
  dayChecker: DayChecker;
  nowChecker: NowChecker;
  wait: (ms: number) => Promise<void>;
}

/** The page's own address and the open API's; only the first difference is reported. */
async function bothWays<Read>(check: (read: Read) => Promise<Check>, own: Read, open: Read): Promise<Check> {
  const found = await check(own);
  return found.state === 'ok' ? check(open) : found;
}

/** When the record ends. */
const untilMs = ({ checkpoints }: RecordResult): number => Date.parse(checkpoints.at(-1)?.until ?? '');

/** Votes since the record's end, as of `asOf` or later. */
async function votesSince({ site, wait }: SiteTask, asOf: string): Promise<number> {
  const isNewEnough = (found: Recount): boolean => Date.parse(found.asOf) >= Date.parse(asOf);
  const found = await readUntil(site.recount, isNewEnough, wait);
  if (!isNewEnough(found)) throw new RecordUnavailable(`the recount is as of ${found.asOf}, before ${asOf}`);
  return found.votesSince;
}

async function checkTrustOf(task: SiteTask, read: Site['trust']): Promise<Check> {
  const { record, recounted, days } = task;
  const trust = await read();
  return checkTrust({
    trust,
    recounted,
    readings: record.readings,
    lastDay: days.last,
    untilMs: untilMs(record),
    newer: trust.countedAt === null ? 0 : await votesSince(task, trust.countedAt),
  });
}

async function checkSupplyOf(task: SiteTask, read: Site['supply']): Promise<Check> {
  const { record, wait } = task;
  const isNewEnough = ({ asOf }: Supply): boolean => Date.parse(asOf) >= untilMs(record);
  const supply = await readUntil(read, isNewEnough, wait);
  if (!isNewEnough(supply)) throw new RecordUnavailable(`the supply is as of ${supply.asOf}, before the record ends`);
  return checkSupply(supply, record.liabilities, await votesSince(task, supply.asOf));
}

/** Compares the figures of the site with the record. */
async function checkSite(task: SiteTask): Promise<Check[]> {
  const { recounted, record, dayChecker } = task;
  const { size } = record.checkpoint;
  const recount = async (isNewEnough: (found: Recount) => boolean): Promise<Recount> =>
    readUntil(task.site.recount, isNewEnough, task.wait);
  const before = await recount((found) => (found.size ?? 0) >= size && hasDigests(found));
  if (before.size !== size) {
    throw new RecordUnavailable(`The record has ${before.size ?? 0} entries by now, not ${size}; run this once more`);
  }
  const counts = countsOf(before);
  const shown = await readShown(task);
  const counters = countersOf(shown);
  const isMoving = mismatches(counters, counts, counts).length > 0;
  const after = isMoving ? await recount(({ asOf }) => asOf !== before.asOf) : before;
  const { site } = task;
  return [
    checkDatabase(recounted, before),
    checkCounters(counters, counts, countsOf(after), { ...shown, newer: before.votesSince }),
    await attempt('Orders', () => checkOrdersOf(task, shown)),
    await attempt('Versions', () => checkVersionsOf(task, shown)),
    await attempt('Now', () => checkNowOf(task, shown)),
    dayChecker.checkTrends(),
    await attempt('Day files', () => dayChecker.checkFiles(shown.leaderboard, changedOf(record))),
    await attempt('Trust', () => bothWays((read) => checkTrustOf(task, read), site.trust, site.open.trust)),
    await attempt('Supply', () => bothWays((read) => checkSupplyOf(task, read), site.supply, site.open.supply)),
  ];
}

const SITE_CHECKS = [
  'Database',
  'Site',
  'Orders',
  'Versions',
  'Now',
  'Trends',
  'Day files',
  'Trust',
  'Supply',
] as const;

/** The checks of the site; all of them are unchecked where they cannot be made. */
async function attemptSite(task: SiteTask | null): Promise<Check[]> {
  if (!task) return SITE_CHECKS.map((name) => unchecked(name, NOT_READ));
  try {
    return await checkSite(task);
  } catch (error) {
    if (error instanceof RecordError) {
      const differences = new Differences();
      differences.add(error.message);
      const rest = SITE_CHECKS.filter((name) => name !== 'Site');
      return [differences.check('Site', ''), ...rest.map((name) => unchecked(name, 'see Site'))];
    }
    if (!(error instanceof RecordUnavailable)) throw error;
    return SITE_CHECKS.map((name) => unchecked(name, error.message));
  }
}

/** Days that are complete by the list of checkpoints. History compares the record with it. */
function recordedDays(checkpoints: ReadonlyArray<{ day: string; until: string }>): RecordedDays {
  const [first, last] = [checkpoints[0], checkpoints.at(-1)];
  const isWhole = last && Date.parse(last.until) === dayEndMs(last.day);
  const lastDay = last?.day ?? '1970-01-01';
  return { first: first?.day ?? lastDay, last: isWhole ? lastDay : dayOfMs(dayEndMs(lastDay) - 2 * 86_400_000) };
}

async function chainOf(site: Site, rpcUrl: string | undefined): Promise<Chain> {
  const { network, rpcUrl: own } = await site.config();
  return openChain({ network, url: rpcUrl ?? own });
}

const clockOf = (chain: Chain): Promise<number | null> => chain.clockMs().catch(() => null);

/**
 * Stores the state only where the record itself is sound: a false record must not become the reference of the next
 * check.
 */
async function storeSeen(
  { stateFile, origin, nowMs }: { stateFile: string; origin: string; nowMs: number },
  { note, checks }: RecordResult,
  key: string,
): Promise<Check | null> {
  if (!isGood(checks)) return null;
  try {
    await writeSeen(stateFile, origin, { key, note, checkedAt: new Date(nowMs).toISOString() });
    return null;
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return unchecked('Memory', error.message);
  }
}

/** 'project 7: bullish on 2026-08-01, verified' */
const textOfOwnVote = ({ projectId, period, bullish, day, state }: OwnVote): string =>
  `  project ${projectId}${period === 1 ? '' : ` in period ${period}`}: ${bullish ? 'bullish' : 'bearish'} on ${day}, ${state}`;

function keyOf({ isPublished, verifierKey, checkpoints }: RecordSummary, options: VerifyOptions): string {
  const key = options.verifierKey ?? verifierKey;
  if (!isPublished || key === null) throw new RecordUnavailable(`${options.origin} keeps no record`);
  if (checkpoints.length === 0) throw new RecordUnavailable(`The record of ${options.origin} has not begun yet`);
  return key;
}

/**
 * Downloads the whole record of a site and recomputes everything that follows from it (R43, R62).
 * @throws RecordUnavailable where the record cannot be read at all, RecordError where not even the beginning fits,
 * StateError where the stored state cannot be read.
 */
export async function verifySite(options: VerifyOptions): Promise<Verification> {
  const { origin, stateFile = null, wait = pause, onProgress = () => undefined, now = Date.now } = options;
  const { witnesses = [], quorum = witnesses.length, secret = null } = options;
  const nowMs = now();
  const seen: Seen | null = stateFile === null ? null : await readSeen(stateFile, origin);
  const site = readSite({ baseUrl: `${origin}/`, wait });
  const summary = await site.record();
  const verifierKey = keyOf(summary, options);
  const files = remoteFiles({ baseUrl: `${origin}/log/`, wait });
  const loadCheckpoints = site.checkpoints;
  const days = recordedDays(await loadCheckpoints());
  const dayChecker = new DayChecker(site, days);
  const nowChecker = new NowChecker(days);
  const task = {
    files,
    verifierKey,
    loadCheckpoints,
    seen,
    secret,
    onProgress,
    wait,
    onProject: async (history: ProjectHistory) => {
      nowChecker.addProject(history);
      await dayChecker.addProject(history);
    },
  };
  const record = await verifyRecord(task);
  const { batches, checkpoint, recounted, anchors, checkpoints } = record;
  const chain = await chainOf(site, options.rpcUrl);
  const newestDay = batches.at(-1)?.entry.day ?? '';
  const saidSender = summary.anchorSender;
  const checks = [
    ...record.checks,
    ...(newestDay === '' ? [] : [checkAge(newestDay, nowMs, await clockOf(chain))]),
    checkWitnesses({ note: record.note, witnesses, quorum, named: summary.witnesses }),
    await attempt('Anchors', () => checkAnchors({ batches, anchors, checkpoints, saidSender, chain, nowMs })),
    ...(await attemptSite(recounted && { site, record, recounted, days, dayChecker, nowChecker, wait })),
  ];
  const failed = stateFile === null ? null : await storeSeen({ stateFile, origin, nowMs }, record, verifierKey);
  return {
    title: `The record of ${checkpoint.origin} until ${newestDay || 'now'}`,
    checks: failed ? checks.map((check) => (check.name === failed.name ? failed : check)) : checks,
    ownVotes: recounted?.own.map(textOfOwnVote) ?? [],
  };
}
