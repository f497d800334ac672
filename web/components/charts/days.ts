export const DAY_MS = 86_400_000;

export const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

// Made when first needed: pages without charts count days, too, and the first object of Intl takes 40 ms of their start.
let short: Intl.DateTimeFormat | undefined;
let month: Intl.DateTimeFormat | undefined;

export function shortDay(timeMs: number): string {
  short ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return short.format(timeMs);
}

export function shortMonth(timeMs: number): string {
  month ??= new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return month.format(timeMs);
}

/** Fills missing days between the first day and the last, or `until`, with `fill(day before)`. Rows must be in the order of their days. */
export function everyDay<T extends { day: string }>(
  rows: readonly T[],
  fill: (previous: T, day: string) => T,
  until?: string,
): T[] {
  const all: T[] = [];
  const append = (row: T) => all.push(row);
  const fillTo = (endMs: number) => {
    for (let previous = all.at(-1); previous; previous = all.at(-1)) {
      const nextMs = Date.parse(previous.day) + DAY_MS;
      if (nextMs >= endMs) return;
      append(fill(previous, dayOf(nextMs)));
    }
  };
  for (const row of rows) {
    fillTo(Date.parse(row.day));
    append(row);
  }
  if (until !== undefined) fillTo(Date.parse(until) + DAY_MS);
  return all;
}
