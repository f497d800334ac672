import { RpcError } from '@mysten/sui/grpc';
import type { SuiGrpcClient } from '@mysten/sui/grpc';

/** Reverse look-ups of the name service, each address asked once per page (S7.25). Null without a name, or when it cannot be asked. */
export function createAddressNames(client: SuiGrpcClient): (address: string) => Promise<string | null> {
  const known = new Map<string, Promise<string | null>>();
  async function lookUp(address: string): Promise<string | null> {
    try {
      return (await client.core.defaultNameServiceName({ address })).data.name;
    } catch (error) {
      if (!(error instanceof RpcError && error.code === 'NOT_FOUND')) console.warn('The name lookup failed', error);
      return null;
    }
  }
  return (address) => {
    const asked = known.get(address) ?? lookUp(address);
    known.set(address, asked);
    return asked;
  };
}
