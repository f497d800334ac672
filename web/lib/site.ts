import { useEffect } from 'react';
import type { getSiteConfig, SiteConfig } from '#shared/contract/site.ts';
import { createStore, useStore } from './external-store.ts';
import { callEndpoint } from './http.ts';
import { readPageJson } from './page-json.ts';

const site = createStore<SiteConfig | null>(readPageJson('site-config') as SiteConfig | null);
export const setSite = (config: SiteConfig | null): void => site.set(config);
let pending: Promise<SiteConfig> | null = null;

async function fetchSite(): Promise<SiteConfig> {
  const config = await callEndpoint<typeof getSiteConfig>('GET /api/config');
  site.set(config);
  return config;
}

/** Settings of this deployment, from the page or from /api/config; after a failed read the next call tries again. */
export function siteConfig(): Promise<SiteConfig> {
  const present = site.get();
  if (present) return Promise.resolve(present);
  pending ??= fetchSite().finally(() => (pending = null));
  return pending;
}

export function useSiteConfig(): SiteConfig | null {
  useEffect(() => {
    siteConfig().catch((error: unknown) => console.warn('The settings could not be read', error));
  }, []);
  return useStore(site);
}
