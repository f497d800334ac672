import { GrpcTypes } from '@mysten/sui/grpc';
import type { Chain } from '../ledger/chain.ts';
import { invalidArgument, notFound } from '../ledger/errors.ts';
import { type MethodTable, unary } from './method.ts';
import { requireAddress } from './requests.ts';

const SERVICE = 'sui.rpc.v2.NameService';

export function nameService(chain: Chain): MethodTable {
  return {
    [`${SERVICE}/LookupName`]: unary(GrpcTypes.LookupNameRequest, GrpcTypes.LookupNameResponse, ({ name }) => {
      if (!name) throw invalidArgument('missing name');
      const targetAddress = chain.names.addressOf(name);
      if (!targetAddress) throw notFound(`Name ${name} not found`);
      return { record: nameRecord(name, targetAddress) };
    }),
    [`${SERVICE}/ReverseLookupName`]: unary(
      GrpcTypes.ReverseLookupNameRequest,
      GrpcTypes.ReverseLookupNameResponse,
      (request) => {
        const address = requireAddress(request.address, 'address');
        const name = chain.names.nameOf(address);
        if (!name) throw notFound(`Address ${address} has no name`);
        return { record: nameRecord(name, address) };
      },
    ),
  };
}

function nameRecord(name: string, targetAddress: string): GrpcTypes.NameRecord {
  return { name, targetAddress, data: {} };
}
