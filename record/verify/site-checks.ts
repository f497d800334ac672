import type { Recount } from '#shared/contract/record.ts';
import { REACH_DAYS } from '#shared/contract/standing.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { NOW_DAYS } from '#shared/numbers/interval.ts';
import { plural } from '#shared/numbers/plural.ts';
import { SORTS } from '#shared/listings/sort-names.ts';
import { TREND_DAYS } from '#shared/figures/trending.ts';
import { DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import { RecordError } from '../entries/entries.ts';
import { RecordUnavailable } from '../proof/remote-files.ts';
import { between, compare, type Range } from './compare.ts';
import { atEndOf, TRENDS } from './day-figures.ts';
import { FIGURES } from './figures.ts';
import type { ProjectHistory } from './history.ts';
import type { Claim } from './memory.ts';
import { allInOrder } from '../proof/in-order.ts';
import { readDoors, SAMPLE } from './doors.ts';
import type { RecordResult } from './record.ts';
import type { Recounted } from './recount.ts';
import {
  endsOf,
  type Known,
  type Line,
  LINES,
  NONE,
  pagesOf,
  type ProjectFigures,
  type RecordedDays,
  type Shown,
  type Source,
} from './shown.ts';
import { attempt, type Check, Differences, failed, unchecked } from './report.ts';
import type { Site } from './site.ts';

const READ_ATTEMPTS = 120;
const READ_WAIT_MS = 1_000;
/** Votes may move a project between two reads, so lines other than these are read again where they differ. */
const STEADY: ReadonlySet<Line> = new Set<Line>(['Database', 'Day files', 'Supply']);
const MOVING_ATTEMPTS = 3;
/** Number of days whose files are compared; trends are compared for all. */
const FILE_DAYS = 35;
const later = (day: string, days: number): string => dayOfMs(dayStartMs(day) + days * DAY_MS);

/** Collects the figures of each project during the recount, and compares its trend. */
export function readProjects(site: Pick<Site, 'trend'>, days: RecordedDays) {
  const projects = new Map<number, ProjectFigures>();
  const beforeReach = later(days.last, -REACH_DAYS);
  const fileDays = Array.from({ length: FILE_DAYS }, (_, at) => later(days.last, -at));
  const trends = new Differences();
  let compared = 0;
  let unread: string | null = null;

  function figuresOf({ days: all, verified, nowAt, since, sides }: ProjectHistory): ProjectFigures {
    const figuresAt = (day: string) => ({
      all: atEndOf(all, day) ?? NONE,
      verified: atEndOf(verified, day) ?? NONE,
      now: nowAt(day),
    });
    return {
      days: new Map(fileDays.map((day) => [day, figuresAt(day)])),
      now: since(later(days.last, -NOW_DAYS)),
      sides: sides(days.last),
      late: new Map(all.flatMap((counts) => (counts.day > beforeReach ? [[counts.day, counts]] : []))),
    };
  }

  return {
    projects,
    fileDays,
    async add(history: ProjectHistory): Promise<void> {
      projects.set(history.projectId, figuresOf(history));
      try {
        const trend = await site.trend(history.projectId);
        if (!trend) return;
        compared += 1;
        compare(TRENDS, { history, trend }, days, trends);
      } catch (error) {
        if (error instanceof RecordUnavailable) unread ??= error.message;
        else if (error instanceof RecordError) trends.add(error.message);
        else throw error;
      }
    },
    checkTrends(): Check {
      const detail = `the figures by day of ${plural(compared, 'project')} are those of the record`;
      return trends.isEmpty && unread !== null ? unchecked('Trends', unread) : trends.check('Trends', detail);
    },
  };
}

export interface SiteTask {
  site: Site;
  record: RecordResult;
  verifierKey: string;
  recounted: Recounted;
  days: RecordedDays;
  reader: ReturnType<typeof readProjects>;
  claim: Claim | null;
  /** Moments to which the site says that it was restored. */
  restores: readonly string[];
  onProgress: (text: string) => void;
  wait: (ms: number) => Promise<void>;
}

/** Reads until the response is new enough, for two minutes at most: a busy server caches expensive figures for a while. */
async function readUntil<T>(
  { wait }: SiteTask,
  read: () => Promise<T>,
  isNewEnough: (found: T) => boolean,
): Promise<T> {
  let found = await read();
  for (let at = 0; at < READ_ATTEMPTS && !isNewEnough(found); at += 1) {
    await wait(READ_WAIT_MS);
    found = await read();
  }
  return found;
}

const NO_SUPPLY = { day: 'no day', granted: 0, burned: 0, paid: 0, lost: 0, ahead: 0 };

/** Reads a part of the site. Its error is thrown to each row that uses it. */
async function sourceOf<T>(read: () => Promise<T>): Promise<Source<T>> {
  try {
    const found = await read();
    return () => found;
  } catch (error) {
    if (!(error instanceof RecordError || error instanceof RecordUnavailable)) throw error;
    return () => {
      throw error;
    };
  }
}

type Steady = Pick<Shown, 'days' | 'supply'>;
type Moving = Omit<Shown, 'recount' | keyof Steady>;

/** Figures of the last closed day. */
async function readSteady(task: SiteTask): Promise<Steady> {
  const { site, reader, record } = task;
  const days = await sourceOf(() => allInOrder([undefined, ...reader.fileDays], (day) => site.day(day)));
  const newSupply = async (read: () => Promise<Supply>): Promise<Supply> => {
    const { day = '' } = record.supply ?? {};
    const isNewEnough = (supply: Supply) => (supply.day ?? '') >= day;
    const found = await readUntil(task, read, isNewEnough);
    if (!isNewEnough(found)) throw new RecordUnavailable(`the supply is of ${found.day}, before the record ends`);
    return found;
  };
  const supply = await sourceOf(async () => [
    ['/supply', await newSupply(site.supply)] as const,
    ['/api/supply', await newSupply(site.own.supply)] as const,
  ]);
  return { days, supply };
}

const counter =
  (onProgress: (text: string) => void, what: string, all: number, read = { count: 0 }) =>
  <T>(found: T): T => {
    read.count += 1;
    onProgress(`${what}: ${read.count.toLocaleString('en')} of ${all.toLocaleString('en')}`);
    return found;
  };

async function readMoving({ site, recounted, onProgress }: SiteTask): Promise<Moving> {
  const [leaderboard, newest, open] = [
    await sourceOf(site.leaderboard),
    await sourceOf(site.newest),
    await sourceOf(() => site.list('bullish')),
  ];
  const sorted = await sourceOf(async () => {
    const others = SORTS.filter((sort) => sort !== 'bullish');
    return new Map(await allInOrder(others, async (sort) => [sort, await site.list(sort)] as const));
  });
  const pages = await sourceOf(async () => {
    const listed = [leaderboard, newest, open].flatMap((source) => source().map(({ id }) => id));
    const ids = new Set([...listed, ...recounted.projects.map(({ projectId }) => projectId)]);
    const onRead = counter(onProgress, 'Pages', ids.size);
    return new Map(await allInOrder([...ids], async (id) => onRead([id, await site.project(id)] as const)));
  });
  const shownIds = () => [...pages()].flatMap(([id, page]) => (page ? [id] : []));
  const versions = await sourceOf(async () => {
    return new Map(await allInOrder(shownIds(), async (id) => [id, (await site.versions(id)) ?? []] as const));
  });
  const proofs = await sourceOf(
    async () =>
      new Map(await allInOrder(shownIds(), async (id) => [id, (await site.ownership(id))?.proof ?? null] as const)),
  );
  const voters = await sourceOf(async () => (await site.voters()).topVoters);
  const reach = await sourceOf(site.reach);
  const trust = await sourceOf(site.trust);
  const openRecord = await sourceOf(site.openRecord);
  const doors = await sourceOf(() => {
    const shown = pagesOf({ pages });
    return readDoors(site, shown, counter(onProgress, 'Copies', Math.min(SAMPLE, shown.length)));
  });
  return { leaderboard, newest, open, sorted, pages, versions, proofs, voters, trust, reach, doors, openRecord };
}

/** Whether the digests of all recorded votes are computed, which happens some time after a publication. */
const hasDigests = ({ projects }: Recount): boolean =>
  projects.every(({ recorded, digest }) => digest !== null || recorded.bullish + recorded.bearish === 0);

/** The counters of each project between two recounts: votes arrive in between, and are undone or replaced. */
function countsBetween(...counted: readonly Recount[]): Known['counts'] {
  const sum = ({ projects }: Recount) => {
    const counts = new Map<number, { bullish: number; bearish: number }>();
    for (const { projectId, recorded, since } of projects) {
      const { bullish, bearish } = counts.get(projectId) ?? NONE;
      counts.set(projectId, {
        bullish: bullish + recorded.bullish + since.bullish,
        bearish: bearish + recorded.bearish + since.bearish,
      });
    }
    return counts;
  };
  const sums = counted.map(sum);
  return new Map(
    [...(sums.at(-1) ?? [])].map(([id]) => {
      const range = (name: 'bullish' | 'bearish'): Range => {
        const all = sums.map((one) => (one.get(id) ?? NONE)[name]);
        return between(Math.min(...all), Math.max(...all));
      };
      return [id, { bullish: range('bullish'), bearish: range('bearish') }];
    }),
  );
}

/** The counters at the record's end, which figures that are some minutes old may still show. */
const atTheEnd = (recount: Recount): Recount => ({
  ...recount,
  projects: recount.projects.map((one) => ({ ...one, since: NONE })),
});

/** The text of a line where everything fits. @throws RecordUnavailable if a part of it is missing */
const DETAILS: Record<Line, (shown: Shown, known: Known) => string> = {
  Database({ recount }, { recounted }) {
    const votes = plural(recounted.votes, 'vote');
    if (hasDigests(recount)) return `${votes} behind the site are those of the record, one by one`;
    throw new RecordUnavailable(
      `${votes} behind the site are as many as in the record; their digests are not computed yet`,
    );
  },
  Site({ pages }, { newer }) {
    const shown = [...pages().values()].filter((page) => page !== null).length;
    const hidden = pages().size - shown;
    const detail = `${plural(shown, 'project')} on leaderboard, lists and pages; ${plural(newer, 'vote')} newer than the record`;
    // Moderators hide projects, whose votes stay in the record.
    return hidden === 0 ? detail : `${detail}; ${plural(hidden, 'project')} not shown`;
  },
  Orders: () => `leaderboard, lists in ${SORTS.length} orders, public list and top voters follow from their figures`,
  Trending: () => `the votes of the last ${TREND_DAYS} days by which it ranks are those of the record`,
  Versions({ versions }, { record }) {
    const shown = [...versions()].flatMap(([id, all]) =>
      all.filter(({ number }) => number <= (record.listings.get(id)?.versions.length ?? 0)),
    );
    const blanked = shown.filter(({ isBlanked }) => isBlanked).length;
    const rest = blanked === 0 ? '' : `, of ${blanked} of which only the hash is left`;
    return `${plural(shown.length, 'version')} of listings are as recorded${rest}`;
  },
  Ownership: ({ proofs }) =>
    `${plural([...proofs().values()].filter((proof) => proof !== null).length, 'proof')} of ownership are as recorded, and nothing else says that ownership is proven`,
  Reasons: (shown) =>
    `figures of ${plural(pagesOf(shown).filter(({ reasons }) => reasons.length > 0).length, 'project')} are as recorded`,
  Now: () => 'the votes of the last 30 days on leaderboard, lists and pages are those of the record',
  'Day files': ({ days }) =>
    `${plural(days().length, 'day')} as JSON and CSV, until ${days()[1]?.file.day}, and the newest one`,
  Trust: ({ trust }) => `${plural(trust().votes, 'vote')} by state and day, the readings, and the rules`,
  Supply(_shown, { record: { supply: sums }, recounted: { votes } }) {
    const { day, granted, burned, paid, lost, ahead } = sums ?? NO_SUPPLY;
    const named = Object.entries({
      granted,
      burned,
      paid,
      'paid by hand that a restore took out of its books': ahead,
      'of lost votes that its books no longer owe': lost,
    }).flatMap(([what, snaps]) => (snaps > 0 ? `, ${snaps.toLocaleString('en')} ${what}` : []));
    const owed = VOTE_REWARD_TOKENS * votes + granted - burned - paid - ahead;
    return `${owed.toLocaleString('en')} Snaps owed at the end of ${day}, for ${plural(votes, 'vote')}${named.join('')}`;
  },
  Copies: ({ doors }) =>
    `other addresses, drawings and tools show the same of ${plural(new Set(doors().map(({ id }) => id)).size, 'project')} at random`,
};

export const checkLine = (line: Line, shown: Shown, known: Known): Check =>
  attempt(line, () => {
    const differences = new Differences();
    const rows = FIGURES.filter((row) => row.line === line);
    compare(rows, shown, known, differences);
    return differences.check(line, differences.isEmpty ? DETAILS[line](shown, known) : '');
  });

/** Drawings are up to a minute old: what differs is read again once that is over. */
const CACHED_MS = 75_000;
const waitMsFor = (checks: ReadonlyMap<Line, Check>, startedMs: number): number =>
  checks.get('Copies')?.state === 'differs'
    ? Math.max(READ_WAIT_MS, startedMs + CACHED_MS - performance.now())
    : READ_WAIT_MS;

interface SiteResult {
  checks: Check[];
  /** Votes that the next check demands of the batches that follow. */
  claim: Claim | null;
}

function claimOf({ recounted: { projects: recorded }, restores }: SiteTask, { size, asOf, projects }: Recount): Claim {
  const opinions: Record<string, number> = {};
  for (const { projectId, votes } of projects) if (votes > 0) opinions[projectId] = (opinions[projectId] ?? 0) + votes;
  for (const { projectId, opinions: said } of recorded)
    if (opinions[projectId] !== undefined) opinions[projectId] += said;
  return { size: size ?? 0, asOf, restores: [...restores], opinions };
}

async function compareSite(task: SiteTask): Promise<SiteResult> {
  const { site, record, verifierKey, recounted, days, reader, wait } = task;
  // A restore since the last check may have lost newer votes.
  const claim = task.restores.every((moment) => task.claim?.restores.includes(moment)) ? task.claim : null;
  const { size } = record.checkpoint;
  const recount = await readUntil(task, site.recount, (found) => (found.size ?? 0) >= size && hasDigests(found));
  // Figures of another day belong to another batch.
  const expectSize = (found: Recount): void => {
    if (found.size !== size)
      throw new RecordUnavailable(`The record has ${found.size ?? 0} entries by now, not ${size}; run this once more`);
  };
  expectSize(recount);
  const startedMs = performance.now();
  const steady = await readSteady(task);
  const checks = new Map<Line, Check>();
  let [before, newest] = [recount, recount];
  for (let attempts = MOVING_ATTEMPTS; attempts > 0; attempts -= 1) {
    const shown = { recount, ...steady, ...(await readMoving(task)) };
    const sinceMs = Date.parse(before.asOf) + 1;
    const isNewEnough = ({ asOf }: Recount) => Date.parse(asOf) >= sinceMs;
    const after = await readUntil(task, site.recount, isNewEnough);
    if (!isNewEnough(after))
      throw new RecordUnavailable(`The server has counted its votes at ${after.asOf}, and not since`);
    expectSize(after);
    newest = after;
    const known: Known = {
      record,
      verifierKey,
      recounted,
      days,
      ends: endsOf(record),
      projects: reader.projects,
      counts: countsBetween(before, after),
      cachedCounts: countsBetween(atTheEnd(before), before, after),
      newer: after.projects.reduce((sum, { votes }) => sum + votes, 0),
      asOf: after.asOf,
      claim,
    };
    for (const line of LINES)
      if (!checks.has(line) || (!STEADY.has(line) && checks.get(line)?.state === 'differs'))
        checks.set(line, checkLine(line, shown, known));
    if (LINES.every((line) => STEADY.has(line) || checks.get(line)?.state !== 'differs')) break;
    if (attempts > 1) await wait(waitMsFor(checks, startedMs));
    before = after;
  }
  return { checks: [...checks.values(), reader.checkTrends()], claim: claimOf(task, newest) };
}

/** The checks of the site. All of them are unchecked where the record or the server's count cannot be read. */
export async function checkSite(task: SiteTask | null, reason: string): Promise<SiteResult> {
  const all = (message: string) => [...LINES, 'Trends'].map((name) => unchecked(name, message));
  if (!task) return { checks: all(reason), claim: null };
  try {
    return await compareSite(task);
  } catch (error) {
    const first = failed(LINES[0], error);
    const message = first.state === 'unchecked' ? first.detail : `see ${first.name}`;
    return { checks: [first, ...all(message).slice(1)], claim: null };
  }
}
