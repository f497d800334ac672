import { bcs } from '@mysten/sui/bcs';
import { RpcError } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { fromBase64, toBase64 } from '@mysten/sui/utils';
import { computeZkLoginAddressFromSeed } from '@mysten/sui/zklogin';
import { describe, expect, test, vi } from 'vitest';
import { createSuiClient } from './client.ts';
import { isSignatureOf } from './payment-signature.ts';
import { verifySignIn } from './sign-in.ts';
import { isTooCostly, SIGNATURE_MAX_CHARS } from './signature-limits.ts';

const key = new Ed25519Keypair();
const bytes = new TextEncoder().encode('a transaction');
const client = createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' });

/** Serialized like the SDK's, which stops at 2048 bytes; other software does not. */
const ZkLogin = bcs.struct('ZkLoginSignature', {
  inputs: bcs.struct('Inputs', {
    proofPoints: bcs.struct('Points', {
      a: bcs.vector(bcs.string()),
      b: bcs.vector(bcs.vector(bcs.string())),
      c: bcs.vector(bcs.string()),
    }),
    issBase64Details: bcs.struct('Claim', { value: bcs.string(), indexMod4: bcs.u8() }),
    headerBase64: bcs.string(),
    addressSeed: bcs.string(),
  }),
  maxEpoch: bcs.u64(),
  userSignature: bcs.byteVector(),
});

/** A well-formed zkLogin signature whose claim has this many characters. */
async function zkLogin(claimChars: number): Promise<string> {
  const value = Buffer.from(`"iss":"${'x'.repeat(claimChars)}",`).toString('base64url');
  const proofPoints = { a: ['1'], b: [['1']], c: ['1'] };
  const { signature } = await key.signPersonalMessage(bytes);
  const written = ZkLogin.serialize({
    inputs: { proofPoints, issBase64Details: { value, indexMod4: 0 }, headerBase64: 'e30', addressSeed: '1' },
    maxEpoch: 5n,
    userSignature: fromBase64(signature),
  });
  return toBase64(Uint8Array.of(5, ...written.toBytes()));
}

/** A multisig with this signature as one of its own. */
async function insideMultisig(claimChars: number): Promise<string> {
  const partial = Array.from(Buffer.from(await zkLogin(claimChars), 'base64').subarray(1));
  const struct = {
    sigs: [{ ZkLogin: partial }],
    bitmap: 1,
    multisig_pk: { pk_map: [{ pubKey: { ZkLogin: partial.slice(0, 40) }, weight: 1 }], threshold: 1 },
  };
  return toBase64(Uint8Array.of(3, ...bcs.MultiSig.serialize(struct).toBytes()));
}

describe('recognizes signatures that take long to verify before verifying them', () => {
  test('recognizes a zkLogin claim of ten times the usual length, alone and inside of a multisig', async () => {
    for (const signature of [await zkLogin(9_000), await insideMultisig(9_000)]) {
      expect(signature.length).toBeLessThan(SIGNATURE_MAX_CHARS);
      expect(isTooCostly(signature)).toBe(true);
    }
  });

  test('recognizes signatures that are too long', () => {
    expect(isTooCostly('A'.repeat(SIGNATURE_MAX_CHARS + 1))).toBe(true);
    expect(isTooCostly('A'.repeat(SIGNATURE_MAX_CHARS))).toBe(false);
  });

  test('refuses a payment and a sign-in with a costly signature without asking the chain', async () => {
    const ask = vi.spyOn(client.core, 'verifyZkLoginSignature');
    const address = key.toSuiAddress();
    for (const signature of [await zkLogin(9_000), await insideMultisig(9_000)]) {
      expect(await isSignatureOf(client, bytes, signature, address)).toBe(false);
      expect(await verifySignIn({ message: 'm', address, signature, client })).toBe('invalid');
    }
    expect(ask).not.toHaveBeenCalled();
  });

  test("a payment's signature is invalid when a node calls it malformed, and undecided when the node is down [R16]", async () => {
    const signature = await zkLogin(60);
    const address = computeZkLoginAddressFromSeed(1n, 'x'.repeat(60), false);
    const check = () => isSignatureOf(client, bytes, signature, address);
    const ask = vi.spyOn(client.core, 'verifyZkLoginSignature').mockResolvedValueOnce({ success: true, errors: [] });
    expect(await check()).toBe(true);
    ask.mockResolvedValueOnce({ success: false, errors: ['invalid proof'] });
    expect(await check()).toBe(false);
    ask.mockRejectedValueOnce(new RpcError('malformed', 'INVALID_ARGUMENT'));
    expect(await check()).toBe(false);
    ask.mockRejectedValueOnce(new RpcError('busy', 'UNAVAILABLE'));
    await expect(check()).rejects.toThrow('busy');
    ask.mockRestore();
  });

  test("a payment's signature is invalid when it cannot be read in its scheme [R16]", async () => {
    const { signature } = await key.signTransaction(bytes);
    const address = key.toSuiAddress();
    expect(await isSignatureOf(client, bytes, signature, address)).toBe(true);
    for (const wrong of ['', 'AA==', 'AwAA', 'Bg==', signature.slice(0, 40), '🦈'])
      expect(await isSignatureOf(client, bytes, wrong, address)).toBe(false);
  });

  test('accepts real signatures as cheap enough', async () => {
    const multisig = MultiSigPublicKey.fromPublicKeys({
      threshold: 1,
      publicKeys: [{ publicKey: key.getPublicKey(), weight: 1 }],
    });
    const { signature } = await key.signPersonalMessage(bytes);
    const signatures = [
      signature,
      multisig.combinePartialSignatures([signature]),
      await zkLogin(60),
      await insideMultisig(60),
      '',
      'AwAA',
      '🦈',
    ];
    expect(signatures.map(isTooCostly)).toEqual(signatures.map(() => false));
  });
});
