import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress, postOutside } from './outgoing.ts';

test.each([
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001:830::200a',
  // Written by resolvers where a machine has one family of addresses only.
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
])('%s counts as an address of the internet', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

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
  '::ffff:a9fe:a9fe',
  '::10.0.0.1',
  '::8.8.8.8',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700::1111%1',
  'fd00::1',
  'fec0::1',
  'ff02::1',
  '64:ff9b::',
  '64:ff9b:1::808:808',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  '010.0.0.1',
  '0x7f.1',
  '2130706433',
  'localhost',
  '',
])('%s does not count as an address of the internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test('an IPv4 address inside an IPv6 one is treated as the IPv4 address, however it is written', () => {
  const local = fc.constantFrom(
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '0.0.0.0',
    '255.255.255.255',
  );
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), local), fc.boolean(), (ipv4, isUpper) => {
      const groups = ipv4.split('.').map(Number);
      const [a = 0, b = 0, c = 0, d = 0] = groups;
      const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
      const padded = hex.replaceAll(/[\da-f]+/g, (group) => group.padStart(4, '0'));
      const forms = ['::ffff:', '0:0:0:0:0:ffff:', '64:ff9b::', '64:ff9b:0:0:0:0:'].flatMap((prefix) =>
        [ipv4, hex, padded].map((end) => prefix + end),
      );
      for (const form of forms) {
        const written = isUpper ? form.toUpperCase() : form;
        expect([written, isPublicAddress(written)]).toEqual([written, isPublicAddress(ipv4)]);
      }
    }),
  );
});

test.each([
  ['https://127.0.0.1:1/', '127.0.0.1 is not on the internet'],
  ['https://[::1]:1/', '::1 is not on the internet'],
  ['https://2130706433:1/', '127.0.0.1 is not on the internet'],
  ['https://0x7f.1:1/', '127.0.0.1 is not on the internet'],
  ['https://0177.0.0.1:1/', '127.0.0.1 is not on the internet'],
  ['https://127.1:1/', '127.0.0.1 is not on the internet'],
  ['https://１２７.0.0.1:1/', '127.0.0.1 is not on the internet'],
  ['https://[::ffff:10.0.0.1]:1/', '::ffff:a00:1 is not on the internet'],
  ['https://[64:ff9b::10.0.0.1]:1/', '64:ff9b::a00:1 is not on the internet'],
  ['https://localhost:1/', 'localhost is not on the internet'],
  ['http://example.com/', 'only https is allowed'],
])('a request to %s is not sent [R78]', async (url, reason) => {
  const post = { headers: {}, body: Buffer.alloc(0), timeoutMs: 1_000 };
  await expect(postOutside(new URL(url), post)).rejects.toThrow(reason);
});
