import { screenNames, SCREENS } from './screens.ts';

/** Words that a slug may not be: our own routes (R23). */
export const RESERVED_SLUGS: readonly string[] = [
  ...new Set(screenNames.map((name) => SCREENS[name].path.split('/')[1] ?? '').filter((word) => word !== '')),
  'api',
  'images',
  'assets',
  'wallet',
  'update',
  'renew',
  'reviews',
  'all',
  'new',
  'healthz',
  'readyz',
  'metrics',
  'og',
  'badge',
  'embed',
  'coins',
  'insights',
  'sitemap',
  'robots',
];

/** Numbers are ids, so a slug may not be one either. */
export function isReservedSlug(slug: string): boolean {
  return /^\d*$/.test(slug) || RESERVED_SLUGS.includes(slug);
}
