import { expect, test } from 'vitest';
import type { Delivery } from './deliver.ts';
import { Pauses } from './pauses.ts';

const config = { pushHosts: ['*.push.example', 'single.example'] };
const failed: Delivery = { result: 'failed', reason: 'no such host', retryAfterS: null };
const endpoint = (host: string) => `https://${host}/x`;

test('failing hosts of a wildcard share one pause, including hosts not tried yet [R78]', () => {
  const pauses = new Pauses(config);
  for (let host = 1; host <= 5; host += 1) {
    expect(pauses.pauseOf(endpoint('next.push.example'))).toBeUndefined();
    pauses.note(endpoint(`made-up-${host}.push.example`), failed);
  }
  expect(pauses.pauseOf(endpoint('next.push.example'))).toBe(60);
  expect(pauses.pauseOf(endpoint('single.example'))).toBeUndefined();
});

test('made-up hosts do not pause a host that has taken a message, which pauses only after its own failures [R78]', () => {
  const web = endpoint('web.push.example');
  new Pauses(config).note(web, { result: 'sent' });
  const pauses = new Pauses(config);
  for (let host = 1; host <= 5; host += 1) pauses.note(endpoint(`made-up-${host}.push.example`), failed);
  expect(pauses.pauseOf(web)).toBeUndefined();
  pauses.note(web, { ...failed, retryAfterS: 7 });
  expect(pauses.pauseOf(web)).toBe(7);
});
