import { createSuiClient } from '#chain/client.ts';
import type { LeaderboardRow, ProjectPage } from '#shared/contract/projects.ts';
import type { Recount } from '#shared/contract/record.ts';
import type { Project } from '#shared/contract/types.ts';
import { remoteFiles, RecordUnavailable } from '#shared/proof/remote-files.ts';
import { type LiabilitiesEntry, RecordError } from '#shared/record/entries.ts';
import { type BalanceReader, checkAnchors } from './checkpoints.ts';
import { allInOrder } from './in-order.ts';
import { NOT_READ, verifyRecord } from './record.ts';
import type { Recounted } from './recount.ts';
import { type Check, Differences, unchecked } from './report.ts';
import { readSite, type Site } from './site.ts';
import {
  checkCounters,
  checkDatabase,
  checkOrders,
  checkSupply,
  countsOf,
  mismatches,
  newerVotes,
  type ShownCounts,
} from './site-checks.ts';

export interface VerifyOptions {
  /** `https://snapswipe.example`, without a slash at the end. */
  origin: string;
  /** The Sui node that is asked for anchors; the site's own by default. */
  rpcUrl?: string | undefined;
  /** The log's key as its users know it; the site's own by default. */
  verifierKey?: string | undefined;
  onProgress?: (text: string) => void;
  /** Lets time pass before a busy server is asked again. */
  wait?: (ms: number) => Promise<void>;
}

export interface Verification {
  title: string;
  checks: Check[];
}

/** The recount of a busy server is a while old; a newer one is asked for so many times. */
const RECOUNT_ATTEMPTS = 30;
const RECOUNT_WAIT_MS = 1_000;
const ORDER_ATTEMPTS = 2;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes a check; what cannot be read is no difference, and no proof either. */
async function attempt(name: string, work: () => Promise<Check>): Promise<Check> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RecordUnavailable) return unchecked(name, error.message);
    if (!(error instanceof RecordError)) throw error;
    const differences = new Differences();
    differences.add(error.message);
    return differences.check(name, 'does not fit');
  }
}

/** A recount that is new enough: the server caches its own for a while. */
async function recountWhere(
  { site, wait }: Pick<SiteTask, 'site' | 'wait'>,
  isNewEnough: (recount: Recount) => boolean,
): Promise<Recount> {
  let found = await site.recount();
  for (let at = 0; at < RECOUNT_ATTEMPTS && !isNewEnough(found); at += 1) {
    await wait(RECOUNT_WAIT_MS);
    found = await site.recount();
  }
  return found;
}

/** What the site shows of every project. */
interface Shown {
  leaderboard: LeaderboardRow[];
  /** The public list. */
  newest: Project[];
  pages: ProjectPage[];
  /** Projects of the record without a page. */
  hidden: number;
}

async function readShown({ site, recounted }: Pick<SiteTask, 'site' | 'recounted'>): Promise<Shown> {
  const [leaderboard, newest] = [await site.leaderboard(), await site.newest()];
  const ids = new Set([
    ...[...leaderboard, ...newest].map(({ id }) => id),
    ...recounted.projects.map(({ projectId }) => projectId),
  ]);
  const found = await allInOrder([...ids], (id) => site.project(id));
  const pages = found.filter((page) => page !== null);
  return { leaderboard, newest, pages, hidden: found.length - pages.length };
}

const countersOfProjects = (projects: readonly Project[], where: string): ShownCounts[] =>
  projects.map(({ id, bullishCount, bearishCount }) => {
    return { projectId: id, bullish: bullishCount, bearish: bearishCount, where };
  });

/** Every counter among it, and where it is shown. */
const countersOf = ({ leaderboard, newest, pages }: Shown): ShownCounts[] => [
  ...leaderboard.map(({ id, bullishVotes, bearishVotes }): ShownCounts => {
    return { projectId: id, bullish: bullishVotes, bearish: bearishVotes, where: 'the leaderboard' };
  }),
  ...countersOfProjects(newest, 'the public list'),
  ...countersOfProjects(pages, 'its page'),
];

/** Orders are read once more where votes may have moved something between two reads. */
async function checkOrdersOf(task: SiteTask, shown: Shown): Promise<Check> {
  const { site, wait } = task;
  let check = checkOrders({ ...shown, voters: await site.voters() });
  for (let at = 0; at < ORDER_ATTEMPTS && check.state !== 'ok'; at += 1) {
    await wait(RECOUNT_WAIT_MS);
    check = checkOrders({ ...(await readShown(task)), voters: await site.voters() });
  }
  return check;
}

interface SiteTask {
  site: Site;
  recounted: Recounted;
  size: number;
  liabilities: LiabilitiesEntry | null;
  wait: (ms: number) => Promise<void>;
}

/** The checks of what the site shows against the record. */
async function checkSite(task: SiteTask): Promise<Check[]> {
  const { site, recounted, size, liabilities } = task;
  const before = await recountWhere(task, (found) => (found.size ?? 0) >= size);
  if (before.size !== size) {
    throw new RecordUnavailable(`The record has ${before.size ?? 0} entries by now, not ${size}; run this once more`);
  }
  const counts = countsOf(before);
  const shown = await readShown(task);
  const counters = countersOf(shown);
  const isMoving = mismatches(counters, counts, counts).length > 0;
  const after = isMoving ? await recountWhere(task, ({ asOf }) => asOf !== before.asOf) : before;
  return [
    checkDatabase(recounted, before),
    checkCounters(counters, counts, countsOf(after), { newer: newerVotes(before), hidden: shown.hidden }),
    await attempt('Orders', () => checkOrdersOf(task, shown)),
    await attempt('Supply', async () => checkSupply(await site.supply(), liabilities)),
  ];
}

const SITE_CHECKS = ['Database', 'Site', 'Orders', 'Supply'] as const;

/** The same, where nothing can be said about the site without them. */
async function attemptSite(task: SiteTask | null): Promise<Check[]> {
  if (!task) return SITE_CHECKS.map((name) => unchecked(name, NOT_READ));
  try {
    return await checkSite(task);
  } catch (error) {
    if (!(error instanceof RecordUnavailable || error instanceof RecordError)) throw error;
    return SITE_CHECKS.map((name) => unchecked(name, error.message));
  }
}

/** Balances by a Sui node that the site names, or the user. */
async function anchorsBy(site: Site, rpcUrl: string | undefined): Promise<{ url: string; balanceOf: BalanceReader }> {
  const { network, rpcUrl: own } = await site.config();
  const url = rpcUrl ?? own;
  const client = createSuiClient({ network, url });
  return {
    url,
    balanceOf: async (address) => BigInt((await client.core.getBalance({ owner: address })).balance.balance),
  };
}

/**
 * Downloads the whole record of a site and recomputes everything that follows from it (R43).
 * @throws RecordUnavailable where the record cannot be read at all, RecordError where it does not even begin to fit.
 */
export async function verifySite(options: VerifyOptions): Promise<Verification> {
  const { origin, wait = pause, onProgress = () => undefined } = options;
  const site = readSite({ baseUrl: `${origin}/`, wait });
  const summary = await site.record();
  const verifierKey = options.verifierKey ?? summary.verifierKey;
  if (!summary.isPublished || verifierKey === null) throw new RecordUnavailable(`${origin} keeps no record`);
  if (summary.checkpoints.length === 0) throw new RecordUnavailable(`The record of ${origin} has not begun yet`);
  const files = remoteFiles({ baseUrl: `${origin}/log/`, wait });
  const record = await verifyRecord({ files, verifierKey, loadCheckpoints: site.checkpoints, onProgress });
  const { batches, checkpoint, checkpoints, recounted, liabilities } = record;
  const anchors = await attempt('Anchors', async () => {
    const { url, balanceOf } = await anchorsBy(site, options.rpcUrl);
    return checkAnchors({ batches, checkpoints, isAnchoring: summary.anchorSender !== null, balanceOf, rpcUrl: url });
  });
  const task = recounted && { site, recounted, size: checkpoint.size, liabilities, wait };
  return {
    title: `The record of ${checkpoint.origin} until ${batches.at(-1)?.entry.day ?? 'now'}`,
    checks: [...record.checks, anchors, ...(await attemptSite(task))],
  };
}
