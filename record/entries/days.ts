/** UTC days: '2026-08-01'. */

export const DAY_MS = 86_400_000;

export const dayStartMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const dayEndMs = (day: string): number => dayStartMs(day) + DAY_MS;

export const dayOfMs = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** Whole days from one day to another; below 0 if the second is the earlier one. */
export const daysBetween = (first: string, second: string): number => (dayStartMs(second) - dayStartMs(first)) / DAY_MS;
