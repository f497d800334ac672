import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeStructTag } from '@mysten/sui/utils';
import { Publisher, PUBLISHER, TreasuryCap, UPGRADE_CAP, UpgradeCap } from '../ledger/caps.ts';
import { baseType, type ChainObject, contentsOf, isCoin, typeOf } from '../ledger/objects.ts';
import { readOwner } from '../ledger/owner.ts';

const { Owner_OwnerKind: OwnerKind } = GrpcTypes;

export function ownerMessage(owner: string): GrpcTypes.Owner {
  const kind = readOwner(owner);
  if ('sharedSince' in kind) return { kind: OwnerKind.SHARED, version: kind.sharedSince };
  if ('parent' in kind) return { kind: OwnerKind.OBJECT, address: kind.parent };
  return { kind: OwnerKind.ADDRESS, address: kind.address };
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
    hasPublicTransfer: isCoin(object) || !object.isKeyOnly,
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
