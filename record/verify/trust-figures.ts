/** Figures of all votes and of all Snaps. */
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { FIRST_DAYS, REACH_DAYS } from '#shared/contract/standing.ts';
import { freeWalletsToTop } from '#shared/figures/free-wallets.ts';
import {
  DECISION_MIN_DAYS,
  STANDING_EXCUSED_DAYS,
  STANDING_NEEDED_DAYS,
  STANDING_VOTER_DAYS,
  STANDING_WINDOW_DAYS,
  type VoteState,
} from '#shared/states/votes.ts';
import { DAY_MS, dayOfMs, daysBetween, dayStartMs } from '../entries/days.ts';
import { between, type Figure, type Place } from './compare.ts';
import { type Known, type Line, pagesOf, type Shown } from './shown.ts';

/** Whether a day is shown for sure: the last one of the 35 may have begun or ended since. */
const isRecent = (day: string, asOf: string): boolean => daysBetween(day, asOf.slice(0, 10)) < STANDING_VOTER_DAYS - 1;
const votesOn = (states: Readonly<Record<VoteState, number>>): number =>
  Object.values(states).reduce((sum, votes) => sum + votes, 0);
/** Votes by state as /trust names them. */
const shownStates = ({ no_standing: noStanding, ...states }: Readonly<Record<VoteState, number>>) => ({
  ...states,
  noStanding,
});

/** Votes in the first week of each shown listing of the 30 days until `until` whose first week is over. */
function firstWeeks(site: Shown, { projects }: Known, until: string): number[] {
  return pagesOf(site).flatMap(({ id, createdAt }) => {
    const first = dayOfMs(Date.parse(createdAt));
    const age = daysBetween(first, until);
    if (age < FIRST_DAYS - 1 || age >= REACH_DAYS - 1) return [];
    const days = Array.from({ length: FIRST_DAYS }, (_, at) => dayOfMs(dayStartMs(first) + at * DAY_MS));
    const late = projects.get(id)?.late;
    return [days.reduce((sum, day) => sum + (late?.get(day)?.votes ?? 0), 0)];
  });
}

/** Share of wallets that must respond: a day with fewer is skipped. */
const LEAST_RESPONSES = 0.99;

/** Upper bound of voters: each opinion has one, and a reading asks for all wallets that voted in the 35 days before it. */
function mostVoters({ record, projects }: Known): number {
  const late = [...projects.values()].flatMap((project) => [...project.late]);
  const since = (day: string) => late.reduce((sum, [on, { opinions }]) => sum + (on >= day ? opinions : 0), 0);
  const reading = record.readings.findLast(({ found }) => found !== null);
  const asked = reading?.found ? Math.floor(reading.found.read / LEAST_RESPONSES) + since(reading.day) : Infinity;
  return Math.min(since(''), asked);
}

export const TRUST: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Trust',
    figure: 'votes',
    places(site, { recounted: { votes, states, statesByDay }, days, asOf }) {
      const { days: byDay, ...shown } = site.trust();
      const shownDays = new Map(byDay.map((one) => [one.day, one]));
      const recorded = [...statesByDay.keys()].filter((day) => isRecent(day, asOf));
      return [
        ['/trust', shown, { day: days.last, votes, ...shownStates(states) }],
        ...[...new Set([...shownDays.keys(), ...recorded])].map((day): Place => {
          const ofDay = statesByDay.get(day);
          return [
            `/trust of ${day}`,
            shownDays.get(day),
            ofDay ? { votes: votesOn(ofDay), ...shownStates(ofDay) } : null,
          ];
        }),
      ];
    },
  },
  {
    line: 'Trust',
    figure: 'wallets',
    places(site, { record, asOf }) {
      const shown = new Map(site.trust().readings.map((reading) => [reading.day, reading]));
      const recorded = new Map(record.readings.map((reading) => [reading.day, reading]));
      const days = [...recorded.keys()].filter((day) => isRecent(day, asOf));
      return [...new Set([...shown.keys(), ...days])].map((day) => {
        const reading = shown.get(day);
        const found =
          reading && (reading.skipped === null ? { read: reading.wallets, standing: reading.standing } : 'skipped');
        const expected = recorded.get(day);
        return [`readings of ${day}`, found, expected && (expected.found ?? 'skipped')];
      });
    },
  },
  {
    line: 'Trust',
    figure: 'days of readings',
    places(site, { record }) {
      const { readings, readingsDone: done, readingsSkipped } = site.trust();
      const days = new Set(record.readings.map(({ day }) => day));
      const newer = readings.filter(({ day }) => !days.has(day));
      const skipped = record.readings.filter(({ found }) => found === null).length;
      const newerSkipped = newer.filter((reading) => reading.skipped !== null).length;
      const expected = {
        done: record.readings.length - skipped + newer.length - newerSkipped,
        skipped: skipped + newerSkipped,
      };
      return [['/trust', { done, skipped: readingsSkipped }, expected]];
    },
  },
  {
    // The specification fixes these; the amount of SUI and the age of a wallet are the operator's, and the same everywhere.
    line: 'Trust',
    figure: 'rules',
    places(site) {
      const { rules } = site.trust();
      const expected = {
        neededDays: STANDING_NEEDED_DAYS,
        windowDays: STANDING_WINDOW_DAYS,
        excusedDays: STANDING_EXCUSED_DAYS,
        voterDays: STANDING_VOTER_DAYS,
        decisionMinDays: DECISION_MIN_DAYS,
      };
      return [
        ['/trust', rules, expected],
        ...pagesOf(site).map(({ id, standingMinMist: minMist }): Place => [
          `project ${id} on its page`,
          { minMist },
          { minMist: rules.minMist },
        ]),
      ];
    },
  },
  {
    // Counted with the live votes.
    line: 'Trust',
    figure: 'free wallets',
    places(site, { newer }) {
      if (newer > 0) return [];
      const ranked = { bullish: site.open(), verified: site.sorted().get('verified') ?? [] };
      const fewest = (sort: keyof typeof ranked) =>
        freeWalletsToTop(
          ranked[sort].filter(({ rank }) => rank !== null),
          sort,
        );
      return [['/trust', site.trust().freeWallets, { bullish: fewest('bullish'), verified: fewest('verified') }]];
    },
  },
  {
    line: 'Trust',
    figure: 'reach of a new listing',
    places(site, known) {
      const shown = site.reach();
      const { last } = known.days;
      const weeks = firstWeeks(site, known, last).toSorted((one, other) => one - other);
      // A listing that was hidden since is not among the pages.
      const hidden = [...site.pages().values()].filter((page) => page === null).length;
      const median = weeks[Math.ceil(weeks.length / 2) - 1] ?? null;
      const expected = {
        day: last,
        voters: between(0, mostVoters(known)),
        listings: between(weeks.length, weeks.length + hidden),
        firstWeekVotes: shown.listings === weeks.length ? median : undefined,
      };
      return [['/api/trust/reach', shown, expected]];
    },
  },

  {
    // The books of the site at the end of the day, by the record.
    line: 'Supply',
    figure: 'Snaps',
    places: ({ supply }, { record: { supply: sums }, recounted: { votes } }) =>
      supply().map(([where, shown]) => {
        if (!sums) return [where, shown, undefined];
        const { day, granted, burned, paid, held, lost, ahead } = sums;
        const issued = VOTE_REWARD_TOKENS * votes + granted - lost;
        const liabilities = issued - burned - paid;
        const circulating = liabilities - held;
        const own = { day, granted, burned, paid, held, lost, ahead, issued, liabilities, circulating };
        return [where, shown, { ...own, balances: circulating, differing: 0 }];
      }),
  },
];
