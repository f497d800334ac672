/** Counted events of a listing besides votes (R50). `click`: on one of its links. */
export const EVENT_KINDS = ['view', 'click', 'share'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const EVENT_SOURCES = ['deck', 'page', 'badge', 'embed', 'link'] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/**
 * `?from=link` in a shared address, and `?from=badge` or `?from=embed` behind a badge: the source of the events that
 * follow.
 */
export const FROM_PARAM = 'from';
const FROM_SOURCES: readonly EventSource[] = ['link', 'badge', 'embed'];

/** The source that an address names in its query; `page` where it names none. */
export function sourceOf(search: string): EventSource {
  const from = new URLSearchParams(search).get(FROM_PARAM);
  return FROM_SOURCES.find((source) => source === from) ?? 'page';
}
