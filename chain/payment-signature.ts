import type { ClientWithCoreApi } from '@mysten/sui/client';
import { SIGNATURE_SCHEME_TO_FLAG } from '@mysten/sui/cryptography';
import { RpcError } from '@mysten/sui/grpc';
import { fromBase64 } from '@mysten/sui/utils';
import { isValidTransactionSignature } from '@mysten/sui/verify';

/**
 * Whether a signature over transaction bytes is the address's own, in any scheme of Sui. Only zkLogin asks the chain; rejects
 * when it cannot be asked. Whatever else is wrong with a signature is false.
 */
export async function isSignatureOf(
  client: ClientWithCoreApi,
  bytes: Uint8Array,
  signature: string,
  address: string,
): Promise<boolean> {
  try {
    return await isValidTransactionSignature(bytes, signature, { client, address });
  } catch (error) {
    const asked = isZkLogin(signature) && !(error instanceof RpcError && error.code === 'INVALID_ARGUMENT');
    if (asked) throw error;
    return false;
  }
}

function isZkLogin(signature: string): boolean {
  try {
    return fromBase64(signature)[0] === SIGNATURE_SCHEME_TO_FLAG.ZkLogin;
  } catch {
    return false;
  }
}
