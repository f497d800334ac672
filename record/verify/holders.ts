import type { ProjectPage } from '#shared/contract/projects.ts';
import { HOLDERS_EVERY_DAYS, HOLDERS_MIN_VOTES } from '#shared/holders.ts';
import { daysBetween, DAY_MS, dayOfMs, dayStartMs } from '../entries/days.ts';
import { END, type Figure, type Range } from './compare.ts';
import type { ListingFacts } from './listing-facts.ts';
import { type Known, type Line, pagesOf, type Shown, sumOf } from './shown.ts';

type Recorded = ListingFacts['holders'];

/** Figures are of the day before their batch at the earliest, where they were counted after midnight. */
const dayBefore = (day: string): string => dayOfMs(dayStartMs(day) - DAY_MS);

/** Figures of an earlier coin, or of a coin that its lister typed, are not shown (R73). */
function mayBeWithheld(
  { coinType, listing: { coinSource }, coinSetOn }: ProjectPage,
  { day }: NonNullable<Recorded>,
): boolean {
  return coinType === null || coinSource === 'lister' || coinSetOn >= dayBefore(day);
}

/** The days of figures that no batch up to `last` had to record: a project has figures at most every seven days. */
function newerThan(recorded: Recorded, last: string): Range {
  const isWaiting = recorded !== null && daysBetween(recorded.day, last) < HOLDERS_EVERY_DAYS;
  return { least: isWaiting ? recorded.day : last, most: END };
}

/** Figures of holders (R73). Newer ones than the record's are believed until the next batch that may have them. */
export const HOLDERS: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Holders',
    figure: 'figures',
    places: (site, { record, days }) =>
      pagesOf(site).map((page) => {
        const where = `project ${page.id} on its page`;
        const recorded = record.listings.get(page.id)?.holders ?? null;
        const last = record.batches.at(-1)?.entry.day ?? days.last;
        const shown = page.holders;
        const numbers = recorded && {
          holders: { bullish: recorded.holdersBullish, bearish: recorded.holdersBearish },
          others: { bullish: recorded.othersBullish, bearish: recorded.othersBearish },
        };
        if (!shown) return [where, null, recorded && mayBeWithheld(page, recorded) ? null : numbers];
        const enough: Range = { least: HOLDERS_MIN_VOTES, most: Number.MAX_SAFE_INTEGER };
        const facts = { ...shown, votesOfHolders: sumOf(shown.holders), votesOfOthers: sumOf(shown.others) };
        const groups = { votesOfHolders: enough, votesOfOthers: enough };
        if (recorded && shown.day <= recorded.day) return [where, facts, { ...groups, ...numbers }];
        return [where, facts, { ...groups, day: newerThan(recorded, last) }];
      }),
  },
];
