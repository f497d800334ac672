import type { SiteConfig } from '#shared/contract/site.ts';
import { site } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import type { Services } from '#server/kit/services.ts';

export function describeSite({ config, chainId }: Services): SiteConfig {
  return {
    network: config.network,
    chainId,
    rpcUrl: config.rpcUrl,
    faucetUrl: config.faucetUrl,
    adminWallet: config.adminWallet,
    autoConnect: config.autoConnect,
    chatUrl: config.chatUrl,
    socialUrl: config.socialUrl,
    dataLicense: config.dataLicense,
    explorerUrl: config.explorerUrl,
    snapsCoinType: config.snapsCoinType,
    minAge: config.minAge,
    excludedRegions: [...config.excludedRegions],
    origin: config.publicOrigin,
  };
}

export const siteRoutes = [route(site.getSiteConfig, { cost: 'list' }, async ({ services }) => describeSite(services))];
