import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { Signer } from '@mysten/sui/cryptography';
import { RpcError } from '@mysten/sui/grpc';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { PasskeyKeypair } from '@mysten/sui/keypairs/passkey';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { MultiSigPublicKey, MultiSigSigner } from '@mysten/sui/multisig';
import { fromBase64, toBase64 } from '@mysten/sui/utils';
import { getZkLoginSignature, toZkLoginPublicIdentifier } from '@mysten/sui/zklogin';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSuiClient } from './client.ts';
import { buildSignInMessage, VerifierUnavailableError, verifySignIn } from './sign-in.ts';

const NOBODY_LISTENS = 'http://127.0.0.1:1';
const client = createSuiClient({ network: 'localnet', url: NOBODY_LISTENS });
const issuedAt = new Date('2026-05-04T10:00:00.000Z');
const expiresAt = new Date('2026-05-04T10:05:00.000Z');

function messageFor(address: string, changes: Partial<Parameters<typeof buildSignInMessage>[0]> = {}): string {
  const domain = 'snapswipe.test';
  const uri = 'https://snapswipe.test';
  return buildSignInMessage({
    statement: 'Sign in to Snapswipe. This sends no transaction and costs nothing.',
    domain,
    address,
    uri,
    network: 'devnet',
    nonce: 'a1b2',
    issuedAt,
    expiresAt,
    ...changes,
  });
}

async function signed(signer: Signer, message = messageFor(signer.toSuiAddress())) {
  const { signature } = await signer.signPersonalMessage(new TextEncoder().encode(message));
  return { message, address: signer.toSuiAddress(), signature, client };
}

/** A security key in software: what a browser's passkey would return. */
function passkey(): Promise<PasskeyKeypair> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const spki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
  const authenticatorData = new Uint8Array(37).fill(7);
  return PasskeyKeypair.getPasskeyInstance({
    create: () => Promise.resolve({ rawId: new Uint8Array([1]), response: { getPublicKey: () => spki } }),
    get: (challenge) => {
      const text = JSON.stringify({ type: 'webauthn.get', challenge: Buffer.from(challenge).toString('base64url') });
      const clientDataJSON = new TextEncoder().encode(text);
      const payload = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
      const signature = sign('sha256', payload, privateKey);
      return Promise.resolve({ response: { authenticatorData, clientDataJSON, signature } });
    },
  });
}

function multisig(): MultiSigSigner {
  const keys = [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()] as const;
  const publicKeys = keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 }));
  return new MultiSigSigner(MultiSigPublicKey.fromPublicKeys({ threshold: 2, publicKeys }), [keys[0], keys[2]]);
}

const schemes: [string, () => Signer | Promise<Signer>][] = [
  ['ed25519', () => new Ed25519Keypair()],
  ['secp256k1', () => new Secp256k1Keypair()],
  ['secp256r1', () => new Secp256r1Keypair()],
  ['multisig', multisig],
  ['passkey', passkey],
];

describe('buildSignInMessage', () => {
  const address = `0x${'ab'.repeat(32)}`;

  it('the sign-in message has the shape of EIP-4361 [R1]', () => {
    expect(messageFor(address).split('\n')).toEqual([
      'snapswipe.test wants you to sign in with your Sui account:',
      address,
      '',
      'Sign in to Snapswipe. This sends no transaction and costs nothing.',
      '',
      'URI: https://snapswipe.test',
      'Version: 1',
      'Chain ID: sui:devnet',
      'Nonce: a1b2',
      'Issued At: 2026-05-04T10:00:00.000Z',
      'Expiration Time: 2026-05-04T10:05:00.000Z',
    ]);
  });

  it('the sign-in message has the address in full [R2]', () => {
    expect(messageFor('0xA1')).toContain(`\n0x${'0'.repeat(62)}a1\n`);
    expect(() => messageFor('not an address')).toThrow('Not an address');
  });

  it.each(['statement', 'domain', 'uri', 'nonce'])('refuses a line break in %s [R1]', (field) => {
    expect(() => messageFor(address, { [field]: 'x\nNonce: other' })).toThrow('Line break');
  });
});

describe.each(schemes)('verifySignIn with %s', (_scheme, makeSigner) => {
  it('accepts the signature of the address [R1]', async () => {
    expect(await verifySignIn(await signed(await makeSigner()))).toBe('valid');
  });

  it('accepts the address in capitals [R2]', async () => {
    const proof = await signed(await makeSigner());
    expect(await verifySignIn({ ...proof, address: proof.address.toUpperCase() })).toBe('valid');
  });

  it('refuses the key of another address [R1]', async () => {
    const proof = await signed(await makeSigner());
    const other = await signed(await makeSigner(), proof.message);
    expect(await verifySignIn({ ...proof, signature: other.signature })).toBe('invalid');
    expect(await verifySignIn({ ...proof, address: other.address })).toBe('invalid');
  });

  it('refuses a signature of another message [R1]', async () => {
    const signer = await makeSigner();
    const proof = await signed(signer);
    const otherNonce = messageFor(signer.toSuiAddress(), { nonce: 'a1b3' });
    expect(await verifySignIn({ ...proof, message: otherNonce })).toBe('invalid');
    expect(await verifySignIn({ ...proof, message: `${proof.message}\n` })).toBe('invalid');
  });

  it('refuses a transaction signature over the same bytes [R1]', async () => {
    const signer = await makeSigner();
    const proof = await signed(signer);
    const { signature } = await signer.signTransaction(new TextEncoder().encode(proof.message));
    expect(await verifySignIn({ ...proof, signature })).toBe('invalid');
  });

  it('refuses a signature with any part of it changed or cut [R1]', async () => {
    const proof = await signed(await makeSigner());
    const bytes = fromBase64(proof.signature);
    for (let at = 0; at < bytes.length; at += 9) {
      const changed = bytes.with(at, (bytes[at] ?? 0) ^ 1);
      expect(await verifySignIn({ ...proof, signature: toBase64(changed) })).toBe('invalid');
      expect(await verifySignIn({ ...proof, signature: toBase64(bytes.slice(0, at)) })).toBe('invalid');
    }
  });
});

describe('verifySignIn', () => {
  it('refuses a multisig below its threshold [R1]', async () => {
    const signer = multisig();
    const message = messageFor(signer.toSuiAddress());
    const keys = [new Ed25519Keypair(), new Ed25519Keypair()] as const;
    const publicKeys = keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 }));
    const publicKey = MultiSigPublicKey.fromPublicKeys({ threshold: 2, publicKeys });
    const { signature: one } = await keys[0].signPersonalMessage(new TextEncoder().encode(message));
    const signature = publicKey.combinePartialSignatures([one]);
    expect(await verifySignIn({ message, address: publicKey.toSuiAddress(), signature, client })).toBe('invalid');
  });

  it.each(['', 'A', 'AA==', 'not base64 !', '\u0000', 'BQ==', 'Bg==', 'AwAA', toBase64(new Uint8Array(97)), '🦈'])(
    'refuses garbage: %j [R1]',
    async (signature) => {
      const address = new Ed25519Keypair().toSuiAddress();
      expect(await verifySignIn({ message: messageFor(address), address, signature, client })).toBe('invalid');
    },
  );

  it('refuses an invalid address [R1]', async () => {
    const proof = await signed(new Ed25519Keypair());
    expect(await verifySignIn({ ...proof, address: 'me' })).toBe('invalid');
  });
});

/** A well-formed zkLogin signature; only a full node can verify its proof. */
async function zkLogin() {
  const addressSeed = '1234567890123456789';
  const issuer = 'https://id.test';
  const value = Buffer.from(`"iss":"${issuer}",`).toString('base64url');
  const address = toZkLoginPublicIdentifier(BigInt(addressSeed), issuer, { legacyAddress: false }).toSuiAddress();
  const message = messageFor(address);
  const ephemeral = await new Ed25519Keypair().signPersonalMessage(new TextEncoder().encode(message));
  const proofPoints = {
    a: ['1', '2'],
    b: [
      ['1', '2'],
      ['3', '4'],
    ],
    c: ['1', '2'],
  };
  const inputs = { proofPoints, issBase64Details: { value, indexMod4: 0 }, headerBase64: 'e30', addressSeed };
  const signature = getZkLoginSignature({ inputs, maxEpoch: '5', userSignature: ephemeral.signature });
  return { message, address, signature, client: createSuiClient({ network: 'localnet', url: NOBODY_LISTENS }) };
}

describe('verifySignIn with zkLogin', () => {
  it('asks the full node of the network about zkLogin, with the message and the address [R1]', async () => {
    const proof = await zkLogin();
    const verify = vi
      .spyOn(proof.client.core, 'verifyZkLoginSignature')
      .mockResolvedValue({ success: true, errors: [] });
    expect(await verifySignIn(proof)).toBe('valid');
    expect(verify).toHaveBeenCalledExactlyOnceWith({
      bytes: toBase64(new TextEncoder().encode(proof.message)),
      signature: proof.signature,
      intentScope: 'PersonalMessage',
      address: proof.address,
    });
  });

  it('refuses a zkLogin signature that the full node refuses [R1]', async () => {
    const proof = await zkLogin();
    const verify = vi.spyOn(proof.client.core, 'verifyZkLoginSignature');
    verify.mockResolvedValueOnce({ success: false, errors: ['invalid proof'] });
    expect(await verifySignIn(proof)).toBe('invalid');
    verify.mockRejectedValueOnce(new RpcError('malformed', 'INVALID_ARGUMENT'));
    expect(await verifySignIn(proof)).toBe('invalid');
  });

  it('refuses a zkLogin proof for another address [R1]', async () => {
    const proof = await zkLogin();
    vi.spyOn(proof.client.core, 'verifyZkLoginSignature').mockResolvedValue({ success: true, errors: [] });
    expect(await verifySignIn({ ...proof, address: new Ed25519Keypair().toSuiAddress() })).toBe('invalid');
  });

  it('reports an undetermined zkLogin signature when the full node is down or silent [R1]', async () => {
    const proof = await zkLogin();
    await expect(verifySignIn(proof)).rejects.toThrow(VerifierUnavailableError);
    vi.spyOn(proof.client.core, 'verifyZkLoginSignature').mockReturnValue(new Promise(() => {}));
    await expect(verifySignIn({ ...proof, timeoutMs: 5 })).rejects.toThrow(VerifierUnavailableError);
  });

  it("waits for the full node's zkLogin result for ten seconds [R1]", async () => {
    const proof = await zkLogin();
    vi.spyOn(proof.client.core, 'verifyZkLoginSignature').mockReturnValue(new Promise(() => {}));
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const ended = vi.fn<(error: unknown) => void>();
    const verification = verifySignIn(proof).catch(ended);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await verification;
    expect(ended).toHaveBeenCalledExactlyOnceWith(expect.any(VerifierUnavailableError));
  });
});
