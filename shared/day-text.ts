const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** '25 Nov 2026' of a day or a moment, in UTC: the form of every date that is shown. */
export const dayText = (iso: string): string => DAY.format(new Date(iso));
