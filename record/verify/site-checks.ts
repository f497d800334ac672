import type { Recount } from '#shared/contract/record.ts';
import { NOW_DAYS } from '#shared/interval.ts';
import { plural } from '#shared/plural.ts';
import { SORTS } from '#shared/sort-names.ts';
import { TREND_DAYS } from '#shared/trending.ts';
import { DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import { RecordError } from '../entries/entries.ts';
import { RecordUnavailable } from '../proof/remote-files.ts';
import { between, compare } from './compare.ts';
import { atEndOf, TRENDS } from './day-figures.ts';
import { FIGURES } from './figures.ts';
import type { ProjectHistory } from './history.ts';
import { allInOrder } from '../proof/in-order.ts';
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
import { attempt, type Check, Differences, unchecked } from './report.ts';
import type { Site } from './site.ts';

const READ_ATTEMPTS = 120;
const READ_WAIT_MS = 1_000;
/** Votes may move a project between two reads: these lines are read again where they differ. */
const MOVING: ReadonlySet<Line> = new Set<Line>([
  'Site',
  'Orders',
  'Trending',
  'Versions',
  'Ownership',
  'Holders',
  'Now',
]);
const MOVING_ATTEMPTS = 3;
/** Files of days are compared for so many days, trends for all. */
const FILE_DAYS = 35;
/** A page may be read so many days after the last complete day of the record. */
const MAX_DAYS_LATER = 7;
const later = (day: string, days: number): string => dayOfMs(dayStartMs(day) + days * DAY_MS);

/** Collects the figures of each project during the recount, and compares its trend. */
export function readProjects(site: Pick<Site, 'trend'>, days: RecordedDays) {
  const projects = new Map<number, ProjectFigures>();
  const fileDays = Array.from({ length: FILE_DAYS }, (_, at) => later(days.last, -at));
  const trends = new Differences();
  let compared = 0;
  let unread: string | null = null;

  function figuresOf({ days: all, verified, nowAt, since, turnedAfter }: ProjectHistory): ProjectFigures {
    const { bullish, bearish } = since(days.last);
    const figuresAt = (day: string) => ({
      all: atEndOf(all, day) ?? NONE,
      verified: atEndOf(verified, day) ?? NONE,
      now: nowAt(day),
    });
    const nowOn = Array.from({ length: MAX_DAYS_LATER + 1 }, (_, at) => later(days.last, at));
    return {
      days: new Map(fileDays.map((day) => [day, figuresAt(day)])),
      now: new Map(nowOn.map((day) => [day, since(later(day, -NOW_DAYS))])),
      turned: turnedAfter(later(days.last, -TREND_DAYS)),
      later: bullish + bearish,
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
  recounted: Recounted;
  days: RecordedDays;
  reader: ReturnType<typeof readProjects>;
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

const untilMsOf = ({ checkpoints }: RecordResult): number => Date.parse(checkpoints.at(-1)?.until ?? '');

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

type Steady = Pick<Shown, 'days' | 'trust' | 'supply'>;
type Moving = Omit<Shown, 'recount' | keyof Steady>;

/** Figures that are counted now and then, and the time of the newest count. */
async function readSteady(task: SiteTask): Promise<{ steady: Steady; countedMs: number }> {
  const { site, reader, record } = task;
  let countedMs = 0;
  const days = await sourceOf(() =>
    allInOrder(reader.fileDays, async (day) => ({ file: await site.day(day), csv: await site.dayCsv(day) })),
  );
  const trust = await sourceOf(async () => {
    const found = await site.trust();
    countedMs = Date.parse(found.countedAt ?? '') || 0;
    return found;
  });
  const supply = await sourceOf(async () => {
    const isNewEnough = ({ asOf }: { asOf: string }) => Date.parse(asOf) >= untilMsOf(record);
    const found = await readUntil(task, site.supply, isNewEnough);
    if (!isNewEnough(found)) throw new RecordUnavailable(`the supply is as of ${found.asOf}, before the record ends`);
    countedMs = Math.max(countedMs, Date.parse(found.asOf));
    return found;
  });
  return { steady: { days, trust, supply }, countedMs };
}

async function readMoving({ site, recounted }: SiteTask): Promise<Moving> {
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
    return new Map(await allInOrder([...ids], async (id) => [id, await site.project(id)] as const));
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
  return { leaderboard, newest, open, sorted, pages, versions, proofs, voters };
}

/** Whether the digests of all recorded votes are computed, which happens some time after a publication. */
const hasDigests = ({ projects }: Recount): boolean =>
  projects.every(({ recorded, digest }) => digest !== null || recorded.bullish + recorded.bearish === 0);

/** The counters of each project between two recounts: votes arrive in between, and are undone or replaced. */
function countsBetween(before: Recount, after: Recount): Known['counts'] {
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
  const [first, last] = [sum(before), sum(after)];
  return new Map(
    [...last].map(([id, { bullish, bearish }]) => {
      const one = first.get(id) ?? NONE;
      return [id, { bullish: between(one.bullish, bullish), bearish: between(one.bearish, bearish) }];
    }),
  );
}

/** The text of a line where everything fits. @throws RecordUnavailable where a part of it is missing */
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
  Trending: () => `the votes of the last ${TREND_DAYS} days by which it ranks are among those of the record`,
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
  Holders: (shown) =>
    `figures of ${plural(pagesOf(shown).filter(({ holders }) => holders !== null).length, 'project')} are as recorded`,
  Now: () => 'the votes of the last 30 days on leaderboard, lists and pages are those of the record',
  'Day files': ({ days }) => `${plural(days().length, 'day')} as JSON and CSV, until ${days()[0]?.file.day}`,
  Trust: ({ trust }) => `${plural(trust().votes, 'vote')} by state and day, and the readings`,
  Supply({ supply }, { record: { liabilities } }) {
    const { granted, liabilities: now } = supply();
    const given = granted === 0 ? '' : ` (${granted.toLocaleString('en')} were granted, not earned)`;
    const owed = `${now.toLocaleString('en')} Snaps owed${given}`;
    if (!liabilities) return owed;
    const moved = BigInt(now) - liabilities.total;
    const since = moved === 0n ? 'the same as on' : `${moved > 0n ? '+' : ''}${moved.toLocaleString('en')} since`;
    return `${owed}, ${since} ${liabilities.day}`;
  },
};

export const checkLine = (line: Line, shown: Shown, known: Known): Check =>
  attempt(line, () => {
    const differences = new Differences();
    const rows = FIGURES.filter((row) => row.line === line);
    compare(rows, shown, known, differences);
    return differences.check(line, differences.isEmpty ? DETAILS[line](shown, known) : '');
  });

async function compareSite(task: SiteTask): Promise<Check[]> {
  const { site, record, recounted, days, reader, wait } = task;
  const { size } = record.checkpoint;
  const recount = await readUntil(task, site.recount, (found) => (found.size ?? 0) >= size && hasDigests(found));
  if (recount.size !== size) {
    throw new RecordUnavailable(`The record has ${recount.size ?? 0} entries by now, not ${size}; run this once more`);
  }
  const { steady, countedMs } = await readSteady(task);
  const checks = new Map<Line, Check>();
  let before = recount;
  for (let attempts = MOVING_ATTEMPTS; attempts > 0; attempts -= 1) {
    const shown = { recount, ...steady, ...(await readMoving(task)) };
    const sinceMs = Math.max(countedMs, Date.parse(before.asOf) + 1);
    const isNewEnough = ({ asOf }: Recount) => Date.parse(asOf) >= sinceMs;
    const after = await readUntil(task, site.recount, isNewEnough);
    if (!isNewEnough(after))
      throw new RecordUnavailable(`The server has counted its votes at ${after.asOf}, and not since`);
    const known: Known = {
      record,
      recounted,
      days,
      untilMs: untilMsOf(record),
      ends: endsOf(record),
      projects: reader.projects,
      counts: countsBetween(before, after),
      newer: after.votesSince,
      asOf: after.asOf,
    };
    for (const line of LINES)
      if (!checks.has(line) || (MOVING.has(line) && checks.get(line)?.state === 'differs'))
        checks.set(line, checkLine(line, shown, known));
    if (LINES.every((line) => !MOVING.has(line) || checks.get(line)?.state !== 'differs')) break;
    if (attempts > 1) await wait(READ_WAIT_MS);
    before = after;
  }
  return [...checks.values(), reader.checkTrends()];
}

/** The checks of the site. All of them are unchecked where the record or the server's count cannot be read. */
export async function checkSite(task: SiteTask | null, reason: string): Promise<Check[]> {
  const all = (message: string) => [...LINES, 'Trends'].map((name) => unchecked(name, message));
  if (!task) return all(reason);
  try {
    return await compareSite(task);
  } catch (error) {
    const first = attempt(LINES[0], () => {
      throw error;
    });
    const message = first.state === 'unchecked' ? first.detail : `see ${first.name}`;
    return [first, ...all(message).slice(1)];
  }
}
