import type { CallSummary, VoteHistoryItem } from '#shared/contract/users.ts';
import type { TicketFace } from '../../../components/ticket/ticket-card.tsx';

const DAY_MS = 86_400_000;

export interface TicketDay {
  /** In UTC, as those of the deck. */
  day: string;
  count: number;
  /** In the order of the votes. */
  faces: TicketFace[];
}

export interface Week {
  days: TicketDay[];
  bullish: number;
  bearish: number;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function facesByDay(votes: readonly VoteHistoryItem[]): Map<string, TicketFace[]> {
  const said = votes.flatMap(({ project: { name, imageUrl }, opinions }) =>
    opinions.map(({ voteType, saidAt }) => ({ saidAt, face: { name, imageUrl, voteType } })),
  );
  const byDay = new Map<string, TicketFace[]>();
  for (const { saidAt, face } of said.toSorted((one, other) => one.saidAt.localeCompare(other.saidAt))) {
    const day = saidAt.slice(0, 10);
    byDay.set(day, [...(byDay.get(day) ?? []), face]);
  }
  return byDay;
}

/** This week, Monday first, and earlier ones with votes. The counts are the server's; its newest votes have the pictures. */
export function weeksOf(counts: CallSummary['days'], votes: readonly VoteHistoryItem[], nowMs: number): Week[] {
  const faces = facesByDay(votes);
  const countsOf = new Map(counts.map((day) => [day.day, day]));
  const monday = nowMs - ((new Date(nowMs).getUTCDay() + 6) % 7) * DAY_MS;
  return [0, 1, 2, 3, 4]
    .map((ago): Week => {
      const days = Array.from({ length: 7 }, (_, at) => dayOf(monday + (at - 7 * ago) * DAY_MS));
      const known = days.flatMap((day) => countsOf.get(day) ?? []);
      return {
        days: days.map((day) => {
          const { bullish, bearish } = countsOf.get(day) ?? { bullish: 0, bearish: 0 };
          return { day, count: bullish + bearish, faces: (faces.get(day) ?? []).slice(0, bullish + bearish) };
        }),
        bullish: known.reduce((sum, { bullish }) => sum + bullish, 0),
        bearish: known.reduce((sum, { bearish }) => sum + bearish, 0),
      };
    })
    .filter(({ bullish, bearish }, ago) => ago === 0 || bullish + bearish > 0);
}
