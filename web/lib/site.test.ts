import { afterEach, expect, test, vi } from 'vitest';
import { getSiteConfig } from '#shared/contract/site.ts';
import { validResponse } from '../../shared/testing/valid-response.ts';
import { SITE } from '../testing/made-up.ts';
import { siteConfig } from './site.ts';

afterEach(() => vi.unstubAllGlobals());

test('the settings are read once by all who ask; a read that failed is told to each, and tried again by the next', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>();
  vi.stubGlobal('fetch', fetch);
  fetch.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const failed = await Promise.allSettled([siteConfig(), siteConfig()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(fetch).toHaveBeenCalledTimes(1);
  fetch.mockImplementation(async () => Response.json(validResponse(getSiteConfig, SITE)));
  expect(await Promise.all([siteConfig(), siteConfig()])).toEqual([SITE, SITE]);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(await siteConfig()).toEqual(SITE);
  expect(fetch).toHaveBeenCalledTimes(2);
});
