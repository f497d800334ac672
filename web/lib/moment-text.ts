// Made when first needed: the first object of Intl takes 15 ms of a page's start.
let clock: Intl.DateTimeFormat | undefined;
let moment: Intl.DateTimeFormat | undefined;
let weekday: Intl.DateTimeFormat | undefined;

/** '25 Nov 2026, 16:00' in the visitor's time zone, which the server does not know: for live pages only. */
export function momentText(iso: string): string {
  moment ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return moment.format(new Date(iso));
}

export function clockText(iso: string): string {
  clock ??= new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
  return clock.format(new Date(iso));
}

/** 'Sun 18:00' */
export function weekdayText(iso: string): string {
  weekday ??= new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' });
  return weekday.format(new Date(iso)).replace(',', '');
}
