import type { OpinionEntry } from './entries.ts';

/** The votes of a day as one file: all opinions of the batches of that day, in the order of the record (R93). */
export const VOTES_FILE_HEADER = 'day,kind,project,period,direction,identity,state,pseudonym\n';

export const votesPath = (day: string): string => `votes/${day}`;

/** No field needs quotes: all are numbers, dates, words and base64url. */
export const voteLine = ({ day, kind, projectId, period, bullish, identity, state, pseudonym }: OpinionEntry): string =>
  `${day},${kind},${projectId},${period},${bullish ? 'bullish' : 'bearish'},${identity},${state},${pseudonym}\n`;
