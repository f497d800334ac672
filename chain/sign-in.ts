import type { ClientWithCoreApi } from '@mysten/sui/client';
import { RpcError } from '@mysten/sui/grpc';
import { isValidPersonalMessageSignature } from '@mysten/sui/verify';
import type { SuiNetwork } from '#shared/constants.ts';
import { normalizeAddress } from './address.ts';
import { isTooCostly, isZkLogin } from './signature-limits.ts';

const VERIFIER_TIMEOUT_MS = 10_000;

interface SignInMessage {
  statement: string;
  domain: string;
  address: string;
  uri: string;
  network: SuiNetwork;
  nonce: string;
  issuedAt: Date;
  expiresAt: Date;
}

/**
 * The text that a wallet signs, in the shape of EIP-4361 (R1). Throws on a line break, which could forge further
 * fields, and on a wrong address.
 */
export function buildSignInMessage(message: SignInMessage): string {
  const { statement, domain, uri, network, nonce, issuedAt, expiresAt } = message;
  const address = normalizeAddress(message.address);
  if (address === null) throw new Error('Not an address');
  if ([statement, domain, uri, nonce].some((field) => /[\r\n]/.test(field)))
    throw new Error('Line break in a sign-in message');
  return [
    `${domain} wants you to sign in with your Sui account:`,
    address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: sui:${network}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
  ].join('\n');
}

export class VerifierUnavailableError extends Error {
  override name = 'VerifierUnavailableError';
}

interface SignInProof {
  message: string;
  address: string;
  signature: string;
  client: ClientWithCoreApi;
  timeoutMs?: number;
}

/** Returns 'invalid' for any bad input (R1). Throws VerifierUnavailableError only when the chain could not be asked. */
export async function verifySignIn(proof: SignInProof): Promise<'valid' | 'invalid'> {
  const address = normalizeAddress(proof.address);
  if (address === null || isTooCostly(proof.signature)) return 'invalid';
  const zkLogin = isZkLogin(proof.signature);
  const bytes = new TextEncoder().encode(proof.message);
  const verification = isValidPersonalMessageSignature(bytes, proof.signature, { client: proof.client, address });
  try {
    return (await withTimeout(verification, proof.timeoutMs ?? VERIFIER_TIMEOUT_MS)) ? 'valid' : 'invalid';
  } catch (error) {
    // Only zkLogin leaves this process. Errors of the other schemes come from malformed bytes (a passkey's client data
    // without JSON, a multisig that points past its keys), and so does a full node's INVALID_ARGUMENT.
    if (!zkLogin) return 'invalid';
    if (error instanceof RpcError && error.code === 'INVALID_ARGUMENT') return 'invalid';
    throw new VerifierUnavailableError('The signature could not be checked', { cause: error });
  }
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No response in ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
