import { useEffect } from 'react';
import type { SiteConfig } from '#shared/contract/site.ts';
import { api } from './api.ts';
import { createStore, useStore } from './external-store.ts';

function readFromPage(): SiteConfig | null {
  const text = typeof document === 'undefined' ? null : document.getElementById('site-config')?.textContent;
  if (!text) return null;
  try {
    return JSON.parse(text) as SiteConfig;
  } catch {
    return null;
  }
}

/** The server writes the settings into the page, so that they are here from the start; only the development server does not. */
const site = createStore<SiteConfig | null>(readFromPage());
let pending: Promise<SiteConfig> | null = null;

async function fetchSite(): Promise<SiteConfig> {
  try {
    const config = await api.getSiteConfig();
    site.set(config);
    return config;
  } catch (error) {
    pending = null;
    throw error;
  }
}

/** Settings of this deployment, from the page or from /api/config; after a failed read the next call tries again. */
export function siteConfig(): Promise<SiteConfig> {
  const present = site.get();
  if (present) return Promise.resolve(present);
  pending ??= fetchSite();
  return pending;
}

/** The settings, null until known. */
export function useSiteConfig(): SiteConfig | null {
  useEffect(() => {
    siteConfig().catch((error: unknown) => console.warn('The settings could not be read', error));
  }, []);
  return useStore(site);
}
