import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { toBase64 } from '@mysten/sui/utils';
import { invalidArgument, RpcFailure } from '../ledger/errors.ts';
import { holds, signer } from '../ledger/signatures.ts';
import { type MethodTable, unary } from './method.ts';
import { requireAddress } from './requests.ts';

const SERVICE = 'sui.rpc.v2.SignatureVerificationService';

export const signatureService: MethodTable = {
  [`${SERVICE}/VerifySignature`]: unary(
    GrpcTypes.VerifySignatureRequest,
    GrpcTypes.VerifySignatureResponse,
    async (request) => {
      const reason = await rejectionOf(request);
      return reason === null ? { isValid: true } : { isValid: false, reason };
    },
  ),
};

/** The reason why the signature is not valid, null when it is valid. zkLogin is not supported. */
async function rejectionOf(request: GrpcTypes.VerifySignatureRequest): Promise<string | null> {
  const { message, signature: wrapped } = request;
  if (!message?.value) throw invalidArgument('missing message');
  if (!wrapped?.bcs?.value) throw invalidArgument('missing signature');
  const signature = toBase64(wrapped.bcs.value);
  const key = keyOf(signature);
  if (typeof key === 'string') return key;
  const content = message.value;
  const isValid = await holds(() =>
    message.name === 'PersonalMessage'
      ? key.verifyPersonalMessage(Uint8Array.from(bcs.byteVector().parse(content)), signature)
      : key.verifyTransaction(content, signature),
  );
  if (!isValid) return 'Signature is not valid for the message';
  if (!request.address || key.verifyAddress(requireAddress(request.address, 'address'))) return null;
  return `Signature was made by ${key.toSuiAddress()}`;
}

function keyOf(signature: string) {
  try {
    return signer(signature);
  } catch (error) {
    if (error instanceof RpcFailure) return error.message;
    throw error;
  }
}
