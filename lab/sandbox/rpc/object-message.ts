import { GrpcTypes } from '@mysten/sui/grpc';
import { coinContents, type CoinObject, coinObjectType } from '../ledger/coins.ts';

/** A full node's description of an address owner. */
export function ownerMessage(address: string): GrpcTypes.Owner {
  return { kind: GrpcTypes.Owner_OwnerKind.ADDRESS, address };
}

/** A full node's description of a coin object. */
export function objectMessage(coin: CoinObject): GrpcTypes.Object {
  const objectType = coinObjectType(coin.coinType);
  return GrpcTypes.Object.create({
    bcs: { name: 'Object', value: coin.bcs },
    objectId: coin.id,
    version: coin.version,
    digest: coin.digest,
    owner: ownerMessage(coin.owner),
    objectType,
    hasPublicTransfer: true,
    contents: { name: objectType, value: coinContents(coin) },
    previousTransaction: coin.previousTransaction,
    storageRebate: coin.storageRebateMist,
    json: structValue({ id: coin.id, balance: coin.value.toString() }),
    balance: coin.value,
  });
}

/** A protobuf `Value` that holds an object of strings. */
function structValue(fields: Record<string, string>): GrpcTypes.Object['json'] {
  return {
    kind: {
      oneofKind: 'structValue',
      structValue: {
        fields: Object.fromEntries(
          Object.entries(fields).map(([name, stringValue]) => [
            name,
            { kind: { oneofKind: 'stringValue', stringValue } },
          ]),
        ),
      },
    },
  };
}
