import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { SUI_NETWORKS } from '../constants.ts';

/** Settings of the deployment that the page needs; the server also writes them into the HTML. */
export const SiteConfig = z.object({
  /** PUBLIC_ORIGIN, such as 'https://snapswipe.example': the server draws it as the browser does. */
  origin: z.string(),
  network: z.enum(SUI_NETWORKS),
  chainId: z.string().nullable(),
  rpcUrl: z.string(),
  /** Only on localnet. */
  faucetUrl: z.string().nullable(),
  adminWallet: z.string(),
  autoConnect: z.boolean(),
  chatUrl: z.string().nullable(),
  socialUrl: z.string().nullable(),
  /** Licence of the published figures (R75). */
  dataLicense: z.object({ name: z.string(), url: z.string() }).nullable(),
  explorerUrl: z.string().nullable(),
  snapsCoinType: z.string().nullable(),
});
export type SiteConfig = z.output<typeof SiteConfig>;

export const getSiteConfig = endpoint('getSiteConfig', {
  access: 'public',
  summary: 'Public settings of this deployment',
  response: SiteConfig,
});
