import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { createLeanCount, createBodyMemory } from './uploads.ts';

/** The bytes that createLeanCount counts: everything outside of strings, 2048 bytes of each string, and its escaped quotes. */
function leanBytes(json: string): number {
  let lean = 0;
  let inside: number | null = null;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (inside === null) {
      lean += 1;
      if (char === '"') inside = 0;
    } else if (char === '"') {
      lean += 1;
      inside = null;
    } else {
      const isEscape = char === '\\';
      if (isEscape) at += 1;
      for (let byte = 0; byte < (isEscape ? 2 : 1); byte += 1, inside += 1) {
        if (isEscape && byte === 1 && json[at] === '"') {
          lean += 1;
          inside -= 1;
        } else if (inside < 2048) lean += 1;
      }
    }
  }
  return lean;
}

/** Whether the bytes are lean when they come in pieces that end at these places. */
function isLean(json: string, limitBytes?: number, ends: readonly number[] = []): boolean {
  const bytes = Buffer.from(json, 'latin1');
  const count = createLeanCount(limitBytes);
  const places = [
    0,
    ...ends.map((end) => end % (bytes.length + 1)).toSorted((one, other) => one - other),
    bytes.length,
  ];
  return places.slice(1).every((end, at) => count(bytes.subarray(places[at], end)));
}

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ maxLength: 6, unit: fc.constantFrom('\\', '"', 'a') }),
  fc.constantFrom('x'.repeat(5_000), '\\"'.repeat(900), 'data:image/png;base64,'.padEnd(9_000, 'A')),
);
const part = fc.oneof(text, fc.integer(), fc.boolean());
const body = fc.dictionary(fc.constantFrom('a', 'imageUrl', 'name'), fc.array(part, { maxLength: 4 }));

test('counts every byte outside of long strings, however the body is split', () => {
  fc.assert(
    fc.property(body, fc.array(fc.nat(), { maxLength: 5 }), (value, ends) => {
      const json = Buffer.from(JSON.stringify(value)).toString('latin1');
      const lean = leanBytes(json);
      expect([isLean(json, lean, ends), isLean(json, lean - 1, ends)]).toEqual([true, false]);
    }),
    runs(),
  );
});

test.each([
  ['nested brackets', '['.repeat(15_000_000)],
  ['a million keys', `{${'"a":1,'.repeat(1_000_000)}"b":1}`],
  ['empty objects', `[${'{},'.repeat(3_000_000)}{}]`],
  ['numbers', `[${'1,'.repeat(4_000_000)}1]`],
  ['short strings', `["${'a","'.repeat(3_000_000)}"]`],
  ['escaped quotes in one string', `["${'\\"'.repeat(7_000_000)}"]`],
])('an upload with megabytes of %s is refused after its first 150 KB', (_what, json) => {
  expect(isLean(json.slice(0, 150_000))).toBe(false);
});

test('accepts a picture of ten megabytes with its fields', () => {
  const draft = { name: 'Coral', imageUrl: `data:image/png;base64,${'A'.repeat(14_000_000)}` };
  expect(isLean(JSON.stringify({ purpose: 'submit', draft }), 2_200)).toBe(true);
});

describe('createBodyMemory', () => {
  const clock = { ms: 0 };
  const notCalled = () => expect.unreachable('this body may not give way');
  const create = () => createBodyMemory(800, () => clock.ms);

  test('gives one owner an eighth of the memory at most, under each of its names, and takes it back', () => {
    const memory = create();
    const lease = memory.open(['address', 'user'], notCalled);
    expect([lease.reserve(99), lease.reserve(2), lease.reserve(1)]).toEqual([true, false, true]);
    expect(memory.open(['address', 'other user'], notCalled).reserve(1)).toBe(false);
    expect(memory.open(['other address', 'user'], notCalled).reserve(1)).toBe(false);
    lease.release();
    expect(memory.open(['address', 'user'], notCalled).reserve(100)).toBe(true);
  });

  test('drops the body with the lowest recent pace when the memory is full, and none that is complete', () => {
    const memory = create();
    const gone: number[] = [];
    const leases = Array.from({ length: 8 }, (_, at) => {
      const lease = memory.open([`owner ${at}`], () => {
        gone.push(at);
        lease.release();
      });
      lease.reserve(60);
      return lease;
    });
    clock.ms += 10_000;
    for (const at of [0, 1, 2, 3, 5, 6, 7]) leases[at]?.reserve(20 + at);
    leases[4]?.arrive();
    clock.ms += 10;
    const newcomer = memory.open(['newcomer'], notCalled);
    expect(newcomer.reserve(100)).toBe(true);
    expect(gone).toEqual([]);
    const [second, third] = ['second', 'third'].map((owner) => memory.open([owner], notCalled));
    expect([second?.reserve(100), third?.reserve(100)]).toEqual([true, true]);
    expect(gone).toEqual([0, 1]);
    for (const lease of [...leases, newcomer, second, third]) lease?.arrive();
    expect(memory.open(['last'], notCalled).reserve(100)).toBe(false);
  });

  test('calls a body slow when it holds more than a small one and its mean pace is below 64 KB a second after 3 seconds', () => {
    const memory = createBodyMemory(80_000_000, () => clock.ms);
    const [slow, steady, small] = [0, 1, 2].map((at) => memory.open([`owner ${at}`], notCalled));
    const areSlow = () => [slow, steady, small].map((lease) => lease?.isSlow());
    slow?.reserve(190_000);
    steady?.reserve(200_000);
    small?.reserve(60_000);
    clock.ms += 3_000;
    expect(areSlow()).toEqual([false, false, false]);
    clock.ms += 1;
    expect(areSlow()).toEqual([true, false, false]);
  });
});
