import { CHANGE_PAUSE_MS, LISTING_MS, VOTE_WINDOW_MS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { OWNER } from './accounts.ts';
import { DEMO_PROJECTS, type DemoProject, OWNED_LISTING } from './projects.ts';
import { randomFrom } from './random.ts';
import { DEMO_VOTERS, OWNER_COUNT, type DemoVoter } from './voters.ts';

/** The demo's votes, under the rules of the product; times are relative to now. */

const DAY_MS = 86_400_000;
/** Two visits can fall into one window; together they stay below its limit. */
const VOTES_PER_VISIT = 12;
const LONGEST_VISIT_MS = 20 * 60_000;
const AGAIN_SHARE = 0.6;
const CHANGER = 'marlow_k';
const CHANGES = 6;

export interface DemoVote {
  voter: DemoVoter;
  project: DemoProject;
  bullish: boolean;
  atMs: number;
  period: number;
  /** Later opinions of the same listing period (R57), oldest first. */
  changes: DemoOpinion[];
}

interface DemoOpinion {
  atMs: number;
  bullish: boolean;
}

export const isBullishNow = ({ bullish, changes }: DemoVote): boolean => changes.at(-1)?.bullish ?? bullish;

interface DemoStats {
  totalVotes: number;
  bullish: number;
  bearish: number;
  streak: number;
  lastDay: number;
  windowStartedMs: number | null;
  windowVotes: number;
}

export function listedAt(project: DemoProject, nowMs: number): number {
  // Some further minutes, so that not all end at the same minute of an hour.
  const minutes = randomFrom(`listing of ${project.name}`).range(0, 90);
  return Math.round(nowMs - project.ageDays * DAY_MS - minutes * 60_000);
}

export function expiresAt(project: DemoProject, nowMs: number): number {
  return listedAt(project, nowMs) + (1 + project.renewals) * LISTING_MS;
}

export function periodStarts(project: DemoProject, nowMs: number): number[] {
  return Array.from({ length: 1 + project.renewals }, (_, at) => listedAt(project, nowMs) + at * LISTING_MS);
}

const periodAt = (project: DemoProject, atMs: number, nowMs: number): number =>
  periodStarts(project, nowMs).filter((startMs) => startMs <= atMs).length;

export function ownerOf(project: DemoProject): DemoVoter {
  const owner =
    project.name === OWNED_LISTING
      ? DEMO_VOTERS.find(({ walletAddress }) => walletAddress === OWNER.address)
      : DEMO_VOTERS[(DEMO_PROJECTS.indexOf(project) * 5) % OWNER_COUNT];
  if (owner === undefined) throw new RangeError(`${project.name} has no owner`);
  return owner;
}

interface Visit {
  startMs: number;
  projects: DemoProject[];
}

export function planVotes(nowMs: number): DemoVote[] {
  const visits = new Map(DEMO_VOTERS.map((voter) => [voter, visitsOf(voter, nowMs)]));
  const meet = (voter: DemoVoter, project: DemoProject): void => {
    const own = visits.get(voter) ?? [];
    if (own.flatMap(({ projects }) => projects).length < voter.votes) assign(own, project, nowMs);
  };
  for (const project of DEMO_PROJECTS) {
    for (const voter of audienceOf(project)) meet(voter, project);
  }
  // Many confirm their opinion in each further listing period of a project.
  for (const project of DEMO_PROJECTS) {
    const random = randomFrom(`bullish on ${project.name} again`);
    for (let renewal = 0; renewal < project.renewals; renewal += 1)
      for (const voter of audienceOf(project)) if (random.next() < AGAIN_SHARE) meet(voter, project);
  }
  const votes = [...visits].flatMap(([voter, list]) => list.flatMap((visit) => cast(voter, visit, nowMs)));
  for (const project of DEMO_PROJECTS) decide(project, votes, nowMs);
  changeMinds(votes, visits, nowMs);
  return votes.sort((one, other) => one.atMs - other.atMs);
}

function visitsOf(voter: DemoVoter, nowMs: number): Visit[] {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const random = randomFrom(`visits of ${voter.walletAddress}`);
  return voter.activeDays.map((daysAgo) => {
    const share = voter.habitHour / 24 + random.range(-0.015, 0.015);
    // Today has lasted only until now.
    const length = daysAgo === 0 ? nowMs - today : DAY_MS;
    return { startMs: Math.round(today - daysAgo * DAY_MS + share * length), projects: [] };
  });
}

function audienceOf(project: DemoProject): DemoVoter[] {
  const random = randomFrom(`audience of ${project.name}`);
  const others = DEMO_VOTERS.filter((voter) => voter !== ownerOf(project));
  return others
    .map((voter) => ({ voter, rank: voter.curiosity + random.range(0, 0.8) }))
    .sort((one, other) => other.rank - one.rank)
    .slice(0, Math.round(project.reach * others.length))
    .map(({ voter }) => voter);
}

/** Puts the project into the emptiest visit of a listing period that does not have it yet, if there is one. */
function assign(visits: Visit[], project: DemoProject, nowMs: number): void {
  const periodOf = (atMs: number) => periodAt(project, atMs, nowMs);
  const taken = new Set(
    visits.filter(({ projects }) => projects.includes(project)).map(({ startMs }) => periodOf(startMs)),
  );
  const possible = visits.filter(
    ({ startMs, projects }) =>
      projects.length < VOTES_PER_VISIT &&
      startMs > listedAt(project, nowMs) &&
      startMs + LONGEST_VISIT_MS < expiresAt(project, nowMs) &&
      periodOf(startMs) === periodOf(startMs + LONGEST_VISIT_MS) &&
      !taken.has(periodOf(startMs)),
  );
  const fewest = Math.min(...possible.map(({ projects }) => projects.length));
  const emptiest = possible.filter(({ projects }) => projects.length === fewest);
  const random = randomFrom(`meeting ${project.name} ${taken.size} ${visits.length} ${emptiest.length}`);
  emptiest[project.renewals > 0 ? random.int(0, emptiest.length - 1) : 0]?.projects.push(project);
}

function cast(voter: DemoVoter, visit: Visit, nowMs: number): DemoVote[] {
  const random = randomFrom(`pace of ${voter.walletAddress} ${visit.projects.map(({ name }) => name).join()}`);
  const roomMs = (nowMs - visit.startMs) / (visit.projects.length + 1);
  let atMs = visit.startMs;
  return random.shuffle(visit.projects).map((project) => {
    atMs += Math.floor(Math.min(random.range(4_000, 70_000), roomMs));
    return { voter, project, bullish: false, atMs, period: periodAt(project, atMs, nowMs), changes: [] };
  });
}

const turnedAt = ({ turned }: DemoProject, nowMs: number): number => (turned ? nowMs - turned.daysAgo * DAY_MS : nowMs);

/** Gives a project's votes their directions, so that its share of bullish ones is the planned one. */
function decide(project: DemoProject, votes: DemoVote[], nowMs: number): void {
  const random = randomFrom(`minds about ${project.name}`);
  const cast = votes
    .filter((vote) => vote.project === project)
    .map((vote) => ({ vote, liking: vote.voter.optimism + random.next() }))
    .sort((one, other) => other.liking - one.liking);
  const isLater = ({ vote }: { vote: DemoVote }): boolean => vote.atMs > turnedAt(project, nowMs);
  const [before, since] = [cast.filter((one) => !isLater(one)), cast.filter(isLater)];
  for (const [share, all] of [[project.bullish, before] as const, [project.turned?.bullish ?? 0, since] as const])
    for (const [i, { vote }] of all.entries()) vote.bullish = i < Math.round(share * all.length);
}

/** Voters change or confirm votes of the present listing periods, one at the beginning of each later visit. */
function changeMinds(votes: readonly DemoVote[], visits: ReadonlyMap<DemoVoter, Visit[]>, nowMs: number): void {
  const taken = new Set<Visit>();
  const changeAfter = (vote: DemoVote, sinceMs: number, bullish: boolean): boolean => {
    const { voter, project, period, changes } = vote;
    const saidMs = changes.at(-1)?.atMs ?? vote.atMs;
    const visit = visits
      .get(voter)
      ?.toSorted((one, other) => one.startMs - other.startMs)
      .find(
        (one) =>
          !taken.has(one) &&
          one.projects.length < VOTES_PER_VISIT &&
          one.startMs > Math.max(sinceMs, saidMs + CHANGE_PAUSE_MS) &&
          Math.floor(one.startMs / DAY_MS) > Math.floor(saidMs / DAY_MS) &&
          periodAt(project, one.startMs, nowMs) === period &&
          one.startMs < expiresAt(project, nowMs),
      );
    if (!visit) return false;
    taken.add(visit);
    changes.push({ atMs: visit.startMs, bullish });
    return true;
  };
  for (const project of DEMO_PROJECTS) {
    const { turned } = project;
    if (!turned) continue;
    const random = randomFrom(`minds that turned about ${project.name}`);
    for (const vote of votes.filter((one) => one.project === project && one.atMs <= turnedAt(project, nowMs)))
      changeAfter(vote, turnedAt(project, nowMs), vote.bullish && random.chance(turned.bullish));
  }
  const own = votes.filter(({ voter, project }) => voter.username === CHANGER && !project.turned);
  let changes = 0;
  for (const vote of [...own, ...own])
    if (changes < CHANGES && changeAfter(vote, 0, isBullishNow(vote) === (changes % 3 === 2))) changes += 1;
}

function countInWindow(stats: DemoStats, atMs: number): void {
  if (stats.windowStartedMs === null || atMs >= stats.windowStartedMs + VOTE_WINDOW_MS) {
    stats.windowStartedMs = atMs;
    stats.windowVotes = 0;
  }
  stats.windowVotes += 1;
  if (stats.windowVotes > VOTES_PER_WINDOW) throw new RangeError('a demo voter voted too often in one window');
  stats.totalVotes += 1;
}

/** A voter's counters by the rules of cast_votes. Throws when a window would have been too full. */
export function countVotes(votes: readonly DemoVote[]): DemoStats {
  const stats: DemoStats = {
    totalVotes: 0,
    bullish: 0,
    bearish: 0,
    streak: 0,
    lastDay: 0,
    windowStartedMs: null,
    windowVotes: 0,
  };
  const opinions = votes.flatMap((vote) => {
    const { atMs, bullish, changes } = vote;
    const later = changes.map((change, at) => ({ ...change, was: changes[at - 1]?.bullish ?? bullish }));
    return [{ atMs, bullish, was: null }, ...later];
  });
  for (const { atMs, bullish, was } of opinions.toSorted((one, other) => one.atMs - other.atMs)) {
    const day = Math.floor(atMs / DAY_MS);
    if (day !== stats.lastDay) stats.streak = day === stats.lastDay + 1 ? stats.streak + 1 : 1;
    stats.lastDay = day;
    if (was === null) countInWindow(stats, atMs);
    else stats[was ? 'bullish' : 'bearish'] -= 1;
    stats[bullish ? 'bullish' : 'bearish'] += 1;
  }
  return stats;
}
