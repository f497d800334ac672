import { dayText } from './day-text.ts';

/** 'as of 27 Nov 2026': the closed day that figures are of (R94); null before the first one. */
export const asOfText = (day: string | null): string =>
  day === null ? 'first figures tomorrow' : `as of ${dayText(day)}`;
