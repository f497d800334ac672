import { GrpcTypes } from '@mysten/sui/grpc';
import type { Chain } from '../ledger/chain.ts';
import { notFound } from '../ledger/errors.ts';
import { CURRENCIES, type Currency } from '../ledger/genesis.ts';
import { applyMask } from './field-mask.ts';
import { type MethodTable, unary } from './method.ts';
import { objectMessage } from './object-message.ts';
import { coinFilter, pageOf, requireAddress, requireCoinType } from './requests.ts';

const SERVICE = 'sui.rpc.v2.StateService';
const OWNED_MASK = ['object_id', 'version', 'object_type'];

/** Reads of ownership. */
export function stateService(chain: Chain): MethodTable {
  return {
    [`${SERVICE}/GetBalance`]: unary(GrpcTypes.GetBalanceRequest, GrpcTypes.GetBalanceResponse, (request) => {
      const coinType = requireCoinType(request.coinType);
      const balances = chain.objects.balances(requireAddress(request.owner, 'owner'));
      return { balance: balanceMessage(coinType, balances.get(coinType) ?? 0n) };
    }),
    [`${SERVICE}/ListBalances`]: unary(GrpcTypes.ListBalancesRequest, GrpcTypes.ListBalancesResponse, (request) => {
      const balances = [...chain.objects.balances(requireAddress(request.owner, 'owner'))];
      const { items, nextPageToken } = pageOf(balances, request.pageSize, request.pageToken);
      return { balances: items.map(([coinType, amount]) => balanceMessage(coinType, amount)), nextPageToken };
    }),
    [`${SERVICE}/ListOwnedObjects`]: unary(
      GrpcTypes.ListOwnedObjectsRequest,
      GrpcTypes.ListOwnedObjectsResponse,
      (request) => {
        const coins = ownedCoins(chain, requireAddress(request.owner, 'owner'), request.objectType);
        const { items, nextPageToken } = pageOf(coins, request.pageSize, request.pageToken);
        const show = (coin: (typeof coins)[number]) =>
          applyMask(GrpcTypes.Object, objectMessage(coin), request.readMask, OWNED_MASK);
        return { objects: items.map(show), nextPageToken };
      },
    ),
    [`${SERVICE}/GetCoinInfo`]: unary(GrpcTypes.GetCoinInfoRequest, GrpcTypes.GetCoinInfoResponse, (request) => {
      const coinType = requireCoinType(request.coinType);
      const currency = CURRENCIES.find((candidate) => candidate.coinType === coinType);
      if (!currency) throw notFound(`Coin type ${coinType} not found`);
      return coinInfo(currency);
    }),
    [`${SERVICE}/ListDynamicFields`]: unary(
      GrpcTypes.ListDynamicFieldsRequest,
      GrpcTypes.ListDynamicFieldsResponse,
      () => ({ dynamicFields: [] }),
    ),
  };
}

/** All money is in coin objects: the sandbox has no address balances. */
function balanceMessage(coinType: string, amount: bigint): GrpcTypes.Balance {
  return { coinType, balance: amount, coinBalance: amount, addressBalance: 0n };
}

function ownedCoins(chain: Chain, owner: string, objectType: string | undefined) {
  const filter = coinFilter(objectType);
  if ('none' in filter) return [];
  return chain.objects.ownedBy(owner, 'coinType' in filter ? filter.coinType : undefined);
}

function coinInfo({ coinType, metadataId, decimals, name, symbol, description, supply }: Currency) {
  return {
    coinType,
    metadata: { id: metadataId, decimals, name, symbol, description, iconUrl: '' },
    treasury: { totalSupply: supply, supplyState: GrpcTypes.CoinTreasury_SupplyState.FIXED },
  };
}
