import { GrpcTypes } from '@mysten/sui/grpc';
import type { Chain } from '../ledger/chain.ts';
import { notFound } from '../ledger/errors.ts';
import { CURRENCIES, type Currency } from '../ledger/genesis.ts';
import { applyMask } from './field-mask.ts';
import { type MethodTable, unary } from './method.ts';
import { objectMessage } from './object-message.ts';
import { pageOf, requireAddress, requireCoinType, typeFilter } from './requests.ts';

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
        const isWanted = typeFilter(request.objectType);
        const owned = chain.objects.ownedBy(requireAddress(request.owner, 'owner')).filter(isWanted);
        const { items, nextPageToken } = pageOf(owned, request.pageSize, request.pageToken);
        const show = (object: (typeof owned)[number]) =>
          applyMask(GrpcTypes.Object, objectMessage(object), request.readMask, OWNED_MASK);
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

function coinInfo({ coinType, metadataId, decimals, name, symbol, description, supply }: Currency) {
  return {
    coinType,
    metadata: { id: metadataId, decimals, name, symbol, description, iconUrl: '' },
    treasury: { totalSupply: supply, supplyState: GrpcTypes.CoinTreasury_SupplyState.FIXED },
  };
}
