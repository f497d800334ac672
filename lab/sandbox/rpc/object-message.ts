import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeStructTag } from '@mysten/sui/utils';
import { Publisher, PUBLISHER, TreasuryCap, UPGRADE_CAP, UpgradeCap } from '../ledger/caps.ts';
import { baseType, type ChainObject, contentsOf, isCoin, typeOf } from '../ledger/objects.ts';

export function ownerMessage(address: string): GrpcTypes.Owner {
  return { kind: GrpcTypes.Owner_OwnerKind.ADDRESS, address };
}

export function objectMessage(object: ChainObject): GrpcTypes.Object {
  const objectType = typeOf(object);
  return GrpcTypes.Object.create({
    bcs: { name: 'Object', value: object.bcs },
    objectId: object.id,
    version: object.version,
    digest: object.digest,
    owner: ownerMessage(object.owner),
    objectType,
    hasPublicTransfer: true,
    contents: { name: objectType, value: contentsOf(object) },
    previousTransaction: object.previousTransaction,
    storageRebate: object.storageRebateMist,
    json: structValue({ id: object.id, ...fieldsOf(object) }),
    ...(isCoin(object) ? { balance: object.value } : {}),
  });
}

const TREASURY_CAP = normalizeStructTag('0x2::coin::TreasuryCap');

function fieldsOf(object: ChainObject): Record<string, string> {
  if (isCoin(object)) return { balance: object.value.toString() };
  const { objectType, fields } = object;
  if (objectType === UPGRADE_CAP) {
    const { package: id, version, policy } = UpgradeCap.parse(fields);
    return { package: id, version, policy: String(policy) };
  }
  if (objectType === PUBLISHER) {
    const { package: id, moduleName } = Publisher.parse(fields);
    return { package: id, module_name: moduleName };
  }
  return baseType(objectType) === TREASURY_CAP ? { total_supply: TreasuryCap.parse(fields).totalSupply } : {};
}

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
