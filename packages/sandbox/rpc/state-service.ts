import { GrpcTypes } from '@mysten/sui/grpc';
import type { Chain } from '../ledger/chain.ts';
import { ofObject } from '../ledger/owner.ts';
import { coinInfo } from './coin-info.ts';
import { applyMask } from './field-mask.ts';
import { type MethodTable, unary } from './method.ts';
import { objectMessage } from './object-message.ts';
import { pageOf, requireAddress, requireCoinType, typeFilter } from './requests.ts';

const { FIELD } = GrpcTypes.DynamicField_DynamicFieldKind;
const SERVICE = 'sui.rpc.v2.StateService';
const OWNED_MASK = ['object_id', 'version', 'object_type'];

export function stateService(chain: Chain): MethodTable {
  return {
    [`${SERVICE}/GetBalance`]: unary(GrpcTypes.GetBalanceRequest, GrpcTypes.GetBalanceResponse, (request) => {
      const coinType = requireCoinType(request.coinType);
      const balances = balancesOf(chain, requireAddress(request.owner, 'owner'));
      return { balance: balances.get(coinType) ?? balanceMessage(coinType, 0n, 0n) };
    }),
    [`${SERVICE}/ListBalances`]: unary(GrpcTypes.ListBalancesRequest, GrpcTypes.ListBalancesResponse, (request) => {
      const balances = [...balancesOf(chain, requireAddress(request.owner, 'owner')).values()];
      const { items, nextPageToken } = pageOf(balances, request.pageSize, request.pageToken);
      return { balances: items, nextPageToken };
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
      return coinInfo(chain, requireCoinType(request.coinType));
    }),
    [`${SERVICE}/ListDynamicFields`]: unary(
      GrpcTypes.ListDynamicFieldsRequest,
      GrpcTypes.ListDynamicFieldsResponse,
      ({ parent, pageSize, pageToken }) => {
        const fields = chain.objects.ownedBy(ofObject(requireAddress(parent, 'parent')));
        const { items, nextPageToken } = pageOf(fields, pageSize, pageToken);
        return { dynamicFields: items.map((field) => ({ kind: FIELD, parent, fieldId: field.id })), nextPageToken };
      },
    ),
  };
}

function balancesOf(chain: Chain, owner: string): Map<string, GrpcTypes.Balance> {
  const [coins, funds] = [chain.objects.balances(owner), chain.addressBalances.of(owner)];
  const types = new Set([...coins.keys(), ...funds.keys()]);
  return new Map([...types].map((type) => [type, balanceMessage(type, coins.get(type) ?? 0n, funds.get(type) ?? 0n)]));
}

function balanceMessage(coinType: string, coinBalance: bigint, addressBalance: bigint): GrpcTypes.Balance {
  return { coinType, balance: coinBalance + addressBalance, coinBalance, addressBalance };
}
