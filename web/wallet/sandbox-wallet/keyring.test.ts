import { expect, test } from 'vitest';
import { createKeyring } from './keyring.ts';

function memory(text: string | null = null) {
  return {
    read: () => text,
    write: (next: string) => {
      text = next;
    },
  };
}

test('the keyring shows no account before its approval, and none after disconnecting [S4.1]', () => {
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

test.each(['', '{', '[]', '{"keys":7}', 'null'])('the keyring starts empty when the storage has %j [S8.22]', (text) => {
  const keyring = createKeyring(memory(text));
  expect(keyring.list()).toEqual([]);
  expect(keyring.add().label).toBe('Account 1');
});
