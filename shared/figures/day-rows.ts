import type { DayRow, LeaderboardDay } from '../contract/open.ts';
import { csvLine } from '../text/csv.ts';
import { NOW_MIN_VOTES, wilsonInterval } from '../numbers/interval.ts';
import { rankAt, rankRows } from './sorts.ts';

/** Shares are rounded to this many digits: more carry no meaning, and would differ between machines. */
const DIGITS = 4;

const rounded = (share: number): number => Number(share.toFixed(DIGITS));

export interface StoredDayRow {
  id: number;
  slug: string;
  name: string;
  category: string;
  listedOn: string;
  bullish: number;
  bearish: number;
  verifiedBullish: number | null;
  verifiedBearish: number | null;
  /** Newest opinions of the last 30 days (R58); null on days before they were counted. */
  nowBullish: number | null;
  nowBearish: number | null;
  rankVotes: number | null;
}

function shareOf(bullish: number, bearish: number) {
  const { low, high } = wilsonInterval({ bullish, bearish });
  const votes = bullish + bearish;
  return { share: votes === 0 ? null : rounded(bullish / votes), low: rounded(low), high: rounded(high) };
}

function toDayRow(
  { verifiedBullish, verifiedBearish, nowBullish, nowBearish, rankVotes, ...row }: StoredDayRow,
  rank: number | null,
): DayRow {
  const { bullish, bearish } = row;
  const isKnown = verifiedBullish !== null && verifiedBearish !== null;
  const hasNow = nowBullish !== null && nowBearish !== null && nowBullish + nowBearish >= NOW_MIN_VOTES;
  return {
    rank,
    ...row,
    ...shareOf(bullish, bearish),
    verified: isKnown
      ? { bullish: verifiedBullish, bearish: verifiedBearish, ...shareOf(verifiedBullish, verifiedBearish) }
      : null,
    now: hasNow ? { bullish: nowBullish, bearish: nowBearish, ...shareOf(nowBullish, nowBearish) } : null,
    rankVotes,
  };
}

/** The published rows of a day, of rows in the order of R27. Before votes for ranks were counted, all of them have a rank. */
export function toDayRows(stored: readonly StoredDayRow[]): DayRow[] {
  const { rows, ranked } = rankRows(stored, ({ rankVotes }) => rankVotes ?? 0);
  return rows.map((row, index) => toDayRow(row, rankAt(index, { ranked })));
}

const COLUMNS =
  'day rank id slug name category listed_on bullish bearish share low high verified_bullish verified_bearish verified_share verified_low verified_high ' +
  'now_bullish now_bearish now_share now_low now_high rank_votes';

function toCells(day: string, row: DayRow): unknown[] {
  const { rank, id, slug, name, category, listedOn, bullish, bearish, share, low, high, verified, now, rankVotes } =
    row;
  const parts = [verified, now].flatMap((part) => [part?.bullish, part?.bearish, part?.share, part?.low, part?.high]);
  return [day, rank, id, slug, name, category, listedOn, bullish, bearish, share, low, high, ...parts, rankVotes];
}

export const toDayCsv = ({ day, projects }: LeaderboardDay): string =>
  csvLine(COLUMNS.split(' ')) + projects.map((row) => csvLine(toCells(day, row))).join('');
