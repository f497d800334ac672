import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { CoinMetadata, coinMetadataOf, TreasuryCap, treasuryCapOf } from '../ledger/caps.ts';
import type { Chain } from '../ledger/chain.ts';
import { notFound } from '../ledger/errors.ts';
import { CURRENCIES, type Currency } from '../ledger/genesis.ts';
import { type ChainObject, isCoin } from '../ledger/objects.ts';

const { CoinTreasury_SupplyState: SupplyState } = GrpcTypes;
const NOBODY = normalizeSuiAddress('0x0');

/** A coin of the genesis, or one that a publication made, by its metadata and its capability to mint. */
export function coinInfo(chain: Chain, coinType: string): GrpcTypes.GetCoinInfoResponse {
  const currency = CURRENCIES.find((candidate) => candidate.coinType === coinType);
  if (currency) return genesisInfo(currency);
  const [metadata] = chain.objects.ofType(coinMetadataOf(coinType)).flatMap(metadataMessage);
  const [treasury] = chain.objects.ofType(treasuryCapOf(coinType)).flatMap(treasuryMessage);
  if (!metadata && !treasury) throw notFound(`Coin type ${coinType} not found`);
  return GrpcTypes.GetCoinInfoResponse.create({
    coinType,
    ...(metadata ? { metadata } : {}),
    ...(treasury ? { treasury } : {}),
  });
}

function genesisInfo({ coinType, metadataId, decimals, name, symbol, description, supply }: Currency) {
  return {
    coinType,
    metadata: { id: metadataId, decimals, name, symbol, description, iconUrl: '' },
    treasury: { totalSupply: supply, supplyState: SupplyState.FIXED },
  };
}

function metadataMessage(object: ChainObject): GrpcTypes.CoinMetadata[] {
  if (isCoin(object)) return [];
  const { iconUrl, ...fields } = CoinMetadata.parse(object.fields);
  return [{ id: object.id, ...fields, iconUrl: iconUrl ?? '' }];
}

function treasuryMessage(object: ChainObject): GrpcTypes.CoinTreasury[] {
  if (isCoin(object)) return [];
  const supplyState = object.owner === NOBODY ? SupplyState.FIXED : SupplyState.SUPPLY_STATE_UNKNOWN;
  return [{ id: object.id, totalSupply: BigInt(TreasuryCap.parse(object.fields).totalSupply), supplyState }];
}
