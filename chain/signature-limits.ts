import { bcs } from '@mysten/sui/bcs';
import { SIGNATURE_SCHEME_TO_FLAG } from '@mysten/sui/cryptography';
import { decodeBase64 } from './base64.ts';

/** Well above the largest real signature, a multisig of ten passkeys. */
export const SIGNATURE_MAX_CHARS = 20_000;
/** Reading a zkLogin claim takes time that grows with the square of its length; real signatures have about 1,100 bytes. */
const ZKLOGIN_MAX_BYTES = 3_000;

function decode(signature: string): { flag: number; bytes: Uint8Array } | null {
  const bytes = decodeBase64(signature);
  return bytes?.[0] === undefined ? null : { flag: bytes[0], bytes };
}

export const isZkLogin = (signature: string): boolean => decode(signature)?.flag === SIGNATURE_SCHEME_TO_FLAG.ZkLogin;

/** Called before every verification: clients can send any signature, even a zkLogin signature inside a multisig. */
export function isTooCostly(signature: string): boolean {
  if (signature.length > SIGNATURE_MAX_CHARS) return true;
  const decoded = decode(signature);
  if (decoded?.flag === SIGNATURE_SCHEME_TO_FLAG.ZkLogin) return decoded.bytes.length > ZKLOGIN_MAX_BYTES;
  if (decoded?.flag !== SIGNATURE_SCHEME_TO_FLAG.MultiSig) return false;
  try {
    const { sigs } = bcs.MultiSig.parse(decoded.bytes.subarray(1));
    return sigs.some((one) => one.ZkLogin !== undefined && one.ZkLogin.length > ZKLOGIN_MAX_BYTES);
  } catch {
    return false;
  }
}
