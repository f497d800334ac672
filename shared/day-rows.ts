import type { DayRow, LeaderboardDay } from './contract/open.ts';
import { csvLine } from './csv.ts';
import { wilsonInterval } from './interval.ts';

/** Shares are rounded to this many digits: more carry no meaning, and would differ between machines. */
const DIGITS = 4;

const rounded = (share: number): number => Number(share.toFixed(DIGITS));

/** Figures of a project at the end of a day. */
export interface StoredDayRow {
  id: number;
  slug: string;
  name: string;
  category: string;
  listedOn: string;
  bullish: number;
  bearish: number;
  /** Null on days before verified votes were counted. */
  verifiedBullish: number | null;
  verifiedBearish: number | null;
}

/** The published bullish share of votes and its 95% interval. */
function shareOf(bullish: number, bearish: number) {
  const { low, high } = wilsonInterval({ bullish, bearish });
  const votes = bullish + bearish;
  return { share: votes === 0 ? null : rounded(bullish / votes), low: rounded(low), high: rounded(high) };
}

/** A published row; `index` counts from 0. */
export function toDayRow({ verifiedBullish, verifiedBearish, ...row }: StoredDayRow, index: number): DayRow {
  const { bullish, bearish } = row;
  const isKnown = verifiedBullish !== null && verifiedBearish !== null;
  return {
    rank: index + 1,
    ...row,
    ...shareOf(bullish, bearish),
    verified: isKnown
      ? { bullish: verifiedBullish, bearish: verifiedBearish, ...shareOf(verifiedBullish, verifiedBearish) }
      : null,
  };
}

const COLUMNS =
  'day rank id slug name category listed_on bullish bearish share low high verified_bullish verified_bearish verified_share verified_low verified_high';

function toCells(day: string, row: DayRow): unknown[] {
  const { rank, id, slug, name, category, listedOn, bullish, bearish, share, low, high, verified } = row;
  const cells: unknown[] = [day, rank, id, slug, name, category, listedOn, bullish, bearish, share, low, high];
  return cells.concat([verified?.bullish, verified?.bearish, verified?.share, verified?.low, verified?.high]);
}

/** A day as CSV (RFC 4180). */
export const toDayCsv = ({ day, projects }: LeaderboardDay): string =>
  csvLine(COLUMNS.split(' ')) + projects.map((row) => csvLine(toCells(day, row))).join('');
