import { parseSerializedSignature, type PublicKey, SIGNATURE_SCHEME_TO_FLAG } from '@mysten/sui/cryptography';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { publicKeyFromRawBytes } from '@mysten/sui/verify';
import { invalidArgument, messageOf } from './errors.ts';
import type { DecodedTransaction } from './transaction-data.ts';

const ZK_LOGIN_UNSUPPORTED = 'zkLogin signatures are not supported by the sandbox chain';

/** The sender must sign, and so must a different gas owner. Throws INVALID_ARGUMENT with a full node's text. */
export async function checkSignatures(transaction: DecodedTransaction, signatures: readonly string[]): Promise<void> {
  const required = [...new Set([transaction.data.sender, transaction.data.gasData.owner])];
  if (signatures.length !== required.length)
    throw invalidSignature(`Expect ${required.length} signer signatures but got ${signatures.length}`);
  const keys = signatures.map(signer);
  const present = keys.map((key) => key.toSuiAddress());
  const absent = required.find((address) => !present.includes(address));
  if (absent) throw invalidSignature(`Required Signature from ${absent} is absent ${JSON.stringify(present)}`);
  for (const [index, key] of keys.entries()) {
    if (!(await holds(() => key.verifyTransaction(transaction.bytes, signatures[index] ?? ''))))
      throw invalidSignature('Signature is not valid: Fail to verify user sig');
  }
}

/** zkLogin is refused before the SDK sees it: its verifier would ask a public server. */
export function signer(signature: string): PublicKey {
  if (schemeFlag(signature) === SIGNATURE_SCHEME_TO_FLAG.ZkLogin) throw invalidSignature(ZK_LOGIN_UNSUPPORTED);
  try {
    const parsed = parseSerializedSignature(signature);
    if (parsed.signatureScheme === 'MultiSig') return new MultiSigPublicKey(parsed.multisig.multisig_pk);
    return publicKeyFromRawBytes(parsed.signatureScheme, parsed.publicKey);
  } catch (error) {
    throw invalidArgument(`invalid signature: ${messageOf(error)}`);
  }
}

function schemeFlag(signature: string): number | undefined {
  return Buffer.from(signature.slice(0, 4), 'base64')[0];
}

/** An exception means malformed data, such as a bad curve point, which is as invalid as a wrong signature. */
export async function holds(verification: () => Promise<boolean>): Promise<boolean> {
  try {
    return await verification();
  } catch {
    return false;
  }
}

function invalidSignature(reason: string) {
  return invalidArgument(`Invalid user signature: ${reason}`);
}
