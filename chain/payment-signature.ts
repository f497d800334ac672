import type { ClientWithCoreApi } from '@mysten/sui/client';
import { RpcError } from '@mysten/sui/grpc';
import { isValidTransactionSignature } from '@mysten/sui/verify';
import { isTooCostly, isZkLogin } from './signature-limits.ts';

/** Asks the chain for zkLogin only, and rejects if it cannot be asked. Any invalid signature gives false. */
export async function isSignatureOf(
  client: ClientWithCoreApi,
  bytes: Uint8Array,
  signature: string,
  address: string,
): Promise<boolean> {
  if (isTooCostly(signature)) return false;
  try {
    return await isValidTransactionSignature(bytes, signature, { client, address });
  } catch (error) {
    const asked = isZkLogin(signature) && !(error instanceof RpcError && error.code === 'INVALID_ARGUMENT');
    if (asked) throw error;
    return false;
  }
}
