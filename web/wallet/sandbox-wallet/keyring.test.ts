import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { describe, expect, it } from 'vitest';
import { createKeyring } from './keyring.ts';

function memory(text: string | null = null) {
  return {
    read: () => text,
    write: (next: string) => {
      text = next;
    },
  };
}

describe('the keyring of the Sandbox Wallet', () => {
  it('keeps real keys over reloads', async () => {
    const storage = memory();
    const { address } = createKeyring(storage).add();
    const reloaded = createKeyring(storage);
    expect(reloaded.list()).toEqual([{ label: 'Account 1', address }]);
    const message = new TextEncoder().encode('hello');
    const signed = await reloaded.keypair(address)?.signPersonalMessage(message);
    const isOurs = await reloaded
      .keypair(address)
      ?.getPublicKey()
      .verifyPersonalMessage(message, signed?.signature ?? '');
    expect(isOurs).toBe(true);
  });

  it('shows no account before it was approved, and none after disconnecting [S4.1]', () => {
    const storage = memory();
    const keyring = createKeyring(storage);
    const first = keyring.add();
    const second = keyring.add();
    expect(keyring.authorized()).toEqual([]);
    keyring.authorize(second.address);
    expect(createKeyring(storage).authorized()).toEqual([second, first]);
    keyring.clearChoice();
    expect(createKeyring(storage).authorized()).toEqual([]);
    expect(keyring.list()).toHaveLength(2);
  });

  it('adds a borrowed key once', () => {
    const keyring = createKeyring(memory());
    const secretKey = new Ed25519Keypair().getSecretKey();
    expect(keyring.add(secretKey, 'Sandbox admin')).toEqual(keyring.add(secretKey, 'Sandbox admin'));
    expect(keyring.list()).toHaveLength(1);
  });

  it.each(['', '{', '[]', '{"keys":7}', 'null'])('starts over when the storage holds %j [S8.22]', (text) => {
    const keyring = createKeyring(memory(text));
    expect(keyring.list()).toEqual([]);
    expect(keyring.add().label).toBe('Account 1');
  });
});
