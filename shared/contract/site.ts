import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { SUI_NETWORKS } from '../constants.ts';

export const SiteConfig = z.object({
  /** PUBLIC_ORIGIN, such as 'https://snapswipe.example': the server draws it as the browser does. */
  origin: z.string(),
  network: z.enum(SUI_NETWORKS),
  chainId: z.string().nullable(),
  rpcUrl: z.string(),
  /** The faucet's URL; only on localnet. */
  faucetUrl: z.string().nullable(),
  adminWallet: z.string(),
  autoConnect: z.boolean(),
  chatUrl: z.string().nullable(),
  socialUrl: z.string().nullable(),
  dataLicense: z.object({ name: z.string(), url: z.string() }).nullable(),
  explorerUrl: z.string().nullable(),
  snapsCoinType: z.string().nullable(),
  /** Part of the terms: the least age in years, and countries or regions that are left out. */
  minAge: z.int().nullable(),
  excludedRegions: z.array(z.string()),
});
export type SiteConfig = z.output<typeof SiteConfig>;

export const getSiteConfig = endpoint('getSiteConfig', {
  access: 'public',
  summary: 'Public settings of this deployment',
  response: SiteConfig,
});
