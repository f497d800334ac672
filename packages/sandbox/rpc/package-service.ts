import { GrpcTypes } from '@mysten/sui/grpc';
import type { Chain } from '../ledger/chain.ts';
import { invalidArgument, notFound } from '../ledger/errors.ts';
import { type MethodTable, unary } from './method.ts';
import { requireAddress } from './requests.ts';

export function packageService(chain: Chain): MethodTable {
  return {
    'sui.rpc.v2.MovePackageService/GetPackage': unary(
      GrpcTypes.GetPackageRequest,
      GrpcTypes.GetPackageResponse,
      ({ packageId }) => ({ package: packageMessage(chain, requireAddress(packageId, 'package_id')) }),
    ),
  };
}

function packageMessage(chain: Chain, wanted: string): GrpcTypes.Package {
  if (chain.objects.get(wanted)) throw invalidArgument('object is not a package');
  const found = chain.packages.get(wanted);
  if (!found) throw notFound(`Package ${wanted} not found`);
  const { id, originalId, version } = found;
  return GrpcTypes.Package.create({ storageId: id, originalId, version });
}
