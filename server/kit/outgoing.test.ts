import { expect, test } from 'vitest';
import { isPublicAddress, postOutside } from './outgoing.ts';

test.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001:830::200a'])(
  '%s counts as an address of the internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'localhost',
  '',
])('%s does not count as an address of the internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ['https://127.0.0.1:1/', '127.0.0.1 is not on the internet'],
  ['https://[::1]:1/', '::1 is not on the internet'],
  ['https://2130706433:1/', '127.0.0.1 is not on the internet'],
  ['https://0x7f.1:1/', '127.0.0.1 is not on the internet'],
  ['https://localhost:1/', 'localhost is not on the internet'],
  ['http://example.com/', 'only https is allowed'],
])('a request to %s is not sent [R78]', async (url, reason) => {
  const post = { headers: {}, body: Buffer.alloc(0), timeoutMs: 1_000 };
  await expect(postOutside(new URL(url), post)).rejects.toThrow(reason);
});
