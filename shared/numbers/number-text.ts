/**
 * `toLocaleString()` of a count. The first call of Intl takes 15 ms of a page's start, 60 on a phone; most readers' counts
 * are written without it.
 */
export function numberText(count: number): string {
  return isAmerican() ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',') : count.toLocaleString();
}

/** Node 24 names its locale there too; the verifier runs on Node 20, which does not. */
export const isAmerican = (): boolean => globalThis.navigator?.language === 'en-US';
