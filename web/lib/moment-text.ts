const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** '25 Nov 2026, 16:00' in the visitor's time zone, which the server does not know: for live pages only. */
export const momentText = (iso: string): string => MOMENT.format(new Date(iso));

export const clockText = (iso: string): string => CLOCK.format(new Date(iso));
