import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf } from '#server/figures/standing/networks.ts';
import { parseAddress, parseForwardedFor } from './address.ts';
import { clientAddress } from './client-address.ts';

test('reads an address as proxies write it: with a port, brackets, quotes, a zone, or IPv4 inside IPv6', () => {
  const port = fc.constantFrom('', ':1', ':4711', ':65535');
  const space = fc.constantFrom('', ' ');
  const ipv4 = fc
    .tuple(fc.ipV4(), port)
    .map(([ip, suffix]) => [ip, [`${ip}${suffix}`, `::ffff:${ip}`, `[::ffff:${ip}]${suffix}`]] as const);
  const ipv6 = fc
    .tuple(
      fc.ipV6().filter((ip) => !ip.includes('.')),
      port,
      fc.constantFrom('', '%eth0', '%25eth0'),
    )
    .map(
      ([ip, suffix, zone]) =>
        [ip, [ip, `${ip}${zone}`, `[${ip}${zone}]${suffix}`, `"[${ip}]${suffix}"`, ip.toUpperCase()]] as const,
    );
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), space, ([ip, forms], before) => {
      for (const form of forms) {
        expect(parseAddress(before + form)).toBe(parseAddress(ip));
        expect(clientAddress({ ip: form })).toBe(clientAddress({ ip }));
        expect(networkOf(form)).toBe(networkOf(ip));
      }
      expect(networkOf(ip)).not.toBeNull();
    }),
  );
  expect(parseAddress('::ffff:cb00:7107')).toBe('203.0.113.7');
  expect(parseAddress('2001:0DB8:0:0:0:0:0:7')).toBe('2001:db8::7');
  for (const text of [
    'unknown',
    '_hidden',
    '',
    '203.0.113',
    '203.0.113.7:http',
    '[203.0.113.7',
    '1:2',
    'for=203.0.113.7',
  ])
    expect([text, parseAddress(text)]).toEqual([text, null]);
});

test('reads mixed lists, and keeps an unreadable entry, which counts as a proxy', () => {
  expect(parseForwardedFor('203.0.113.7:4711,[2001:db8::7]:80 ,, unknown,\t::ffff:10.0.0.1')).toBe(
    '203.0.113.7, 2001:db8::7, unknown, 10.0.0.1',
  );
});
