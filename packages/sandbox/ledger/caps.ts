import { bcs } from '@mysten/sui/bcs';
import { normalizeStructTag } from '@mysten/sui/utils';

export const UPGRADE_CAP = normalizeStructTag('0x2::package::UpgradeCap');
export const PUBLISHER = normalizeStructTag('0x2::package::Publisher');
export const treasuryCapOf = (coinType: string): string => normalizeStructTag(`0x2::coin::TreasuryCap<${coinType}>`);

export const coinMetadataOf = (coinType: string): string => normalizeStructTag(`0x2::coin::CoinMetadata<${coinType}>`);

export const CoinMetadata = bcs.struct('CoinMetadata', {
  decimals: bcs.u8(),
  name: bcs.string(),
  symbol: bcs.string(),
  description: bcs.string(),
  iconUrl: bcs.option(bcs.string()),
});
export const TreasuryCap = bcs.struct('TreasuryCap', { totalSupply: bcs.u64() });
export const UpgradeCap = bcs.struct('UpgradeCap', { package: bcs.Address, version: bcs.u64(), policy: bcs.u8() });
/** Its texts are written like Move's type names: addresses have no 0x. */
export const Publisher = bcs.struct('Publisher', { package: bcs.string(), moduleName: bcs.string() });
