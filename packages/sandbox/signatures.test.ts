import { bcs } from '@mysten/sui/bcs';
import { messageWithIntent, type Signer } from '@mysten/sui/cryptography';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { PasskeyPublicKey } from '@mysten/sui/keypairs/passkey';
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1';
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1';
import { MultiSigPublicKey } from '@mysten/sui/multisig';
import { fromBase64, toBase64 } from '@mysten/sui/utils';
import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { expect, test } from 'vitest';
import { balanceOf, fund, newAddress, payment, sandboxForTest } from './testing/sandbox.ts';

interface Account {
  readonly address: string;
  sign(bytes: Uint8Array): Promise<string>;
}

function simple(key: Signer): Account {
  return { address: key.toSuiAddress(), sign: async (bytes) => (await key.signTransaction(bytes)).signature };
}

function multisig(): Account {
  const keys = [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()];
  const publicKeys = keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 }));
  const group = MultiSigPublicKey.fromPublicKeys({ threshold: 2, publicKeys });
  const sign = async (bytes: Uint8Array) => {
    const parts = await Promise.all(keys.slice(1).map((key) => key.signTransaction(bytes)));
    return group.combinePartialSignatures(parts.map(({ signature }) => signature));
  };
  return { address: group.toSuiAddress(), sign };
}

/** A passkey signature, as a browser's authenticator and the SDK's PasskeyKeypair make it together. */
function passkey(): Account {
  const key = new Secp256r1Keypair();
  const publicKey = key.getPublicKey().toRawBytes();
  const sign = async (bytes: Uint8Array) => {
    const challenge = blake2b(messageWithIntent('TransactionData', bytes), { dkLen: 32 });
    const clientDataJson = JSON.stringify({
      type: 'webauthn.get',
      challenge: Buffer.from(challenge).toString('base64url'),
      origin: 'http://localhost:3000',
    });
    const authenticatorData = crypto.getRandomValues(new Uint8Array(37));
    const signed = Buffer.concat([authenticatorData, sha256(new TextEncoder().encode(clientDataJson))]);
    const userSignature = Buffer.concat([Uint8Array.of(2), await key.sign(signed), publicKey]);
    const authenticator = bcs.PasskeyAuthenticator.serialize({ authenticatorData, clientDataJson, userSignature });
    return toBase64(Buffer.concat([Uint8Array.of(6), authenticator.toBytes()]));
  };
  return { address: new PasskeyPublicKey(publicKey).toSuiAddress(), sign };
}

const schemes = {
  ed25519: () => simple(new Ed25519Keypair()),
  secp256k1: () => simple(new Secp256k1Keypair()),
  secp256r1: () => simple(new Secp256r1Keypair()),
  multisig,
  passkey,
};

test.each(Object.entries(schemes))(
  'a payment signed with %s executes, and is refused once its signature is changed',
  async (_name, make) => {
    const sandbox = await sandboxForTest();
    const { client } = sandbox;
    const account = make();
    const recipient = newAddress();
    await fund(sandbox, account.address);
    const bytes = await payment(account.address, recipient, 7n).build({ client });
    const signature = await account.sign(bytes);
    const other = await account.sign(await payment(account.address, recipient, 8n).build({ client }));

    await expect(client.executeTransaction({ transaction: bytes, signatures: [other] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^Invalid user signature: Signature is not valid/),
    });
    const result = await client.executeTransaction({ transaction: bytes, signatures: [signature] });

    expect(result.Transaction?.signatures).toEqual([signature]);
    expect(await balanceOf(client, recipient)).toBe(7n);
  },
);

test('refuses a signature of another key, too few or too many signatures, and garbage', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const payer = new Ed25519Keypair();
  await fund(sandbox, payer.toSuiAddress());
  const bytes = await payment(payer.toSuiAddress(), newAddress(), 1n).build({ client });
  const { signature } = await payer.signTransaction(bytes);
  const { signature: foreign } = await new Ed25519Keypair().signTransaction(bytes);
  const { signature: ofMessage } = await payer.signPersonalMessage(bytes);
  const rejection = (signatures: string[]) =>
    client.executeTransaction({ transaction: bytes, signatures }).then(
      () => 'executed',
      (error: Error) => error.message,
    );

  expect(await rejection([foreign])).toMatch(/Required Signature from 0x[0-9a-f]{64} is absent/);
  expect(await rejection([ofMessage])).toMatch(/Signature is not valid/);
  expect(await rejection([])).toBe('Invalid user signature: Expect 1 signer signatures but got 0');
  expect(await rejection([signature, foreign])).toBe('Invalid user signature: Expect 1 signer signatures but got 2');
  expect(await rejection([toBase64(Uint8Array.of(9, 1, 2))])).toMatch(/^invalid signature: /);
});

test('VerifySignature distinguishes valid from invalid, and reports zkLogin as unsupported', async () => {
  const { client } = await sandboxForTest();
  const key = new Ed25519Keypair();
  const message = new TextEncoder().encode('hello');
  const { signature } = await key.signPersonalMessage(message);
  const verify = (address: string, value: string) =>
    client.verifyZkLoginSignature({
      address,
      bytes: toBase64(message),
      signature: value,
      intentScope: 'PersonalMessage',
    });
  const tampered = fromBase64(signature).with(5, fromBase64(signature)[5] === 0 ? 1 : 0);

  expect(await verify(key.toSuiAddress(), signature)).toEqual({ success: true, errors: [] });
  expect(await verify(newAddress(), signature)).toMatchObject({ success: false });
  expect(await verify(key.toSuiAddress(), toBase64(tampered))).toMatchObject({ success: false });
  expect(await verify(key.toSuiAddress(), ZK_LOGIN_SIGNATURE)).toEqual({
    success: false,
    errors: ['Invalid user signature: zkLogin signatures are not supported by the sandbox chain'],
  });
});

/** Well-formed, so that the rejection is about the scheme and not about the encoding. */
const ZK_LOGIN_SIGNATURE = toBase64(Uint8Array.of(5, 0, 0, 0));
