import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectTextFields } from '#shared/listings/project-fields.ts';
import { runs } from '#shared/testing/property-runs.ts';
import type { Purpose } from '#shared/contract/payments.ts';
import { orderHash } from './read.ts';

interface Content {
  purpose: Purpose;
  target: string;
  fields: Record<string, string | null>;
  image: string | null;
}

/** Texts that run into each other when they are only concatenated, and any text at all. */
const text = fc.oneof(fc.constantFrom('', 'a', 'ab', '"', '",', 'a","b', 'null', '[]', 'é', 'e\u0301'), fc.string());
const content: fc.Arbitrary<Content> = fc.record({
  purpose: fc.constantFrom<Purpose>('submit', 'update', 'renew'),
  target: fc.oneof(fc.constantFrom('', '1', '11', 'null'), text),
  fields: fc.dictionary(fc.constantFrom(...projectTextFields), fc.option(text)),
  image: fc.option(fc.oneof(fc.constantFrom('', 'null', 'data:image/png;base64,AA=='), fc.string())),
});

const hashOf = ({ purpose, target, fields, image }: Content) => orderHash(purpose, target, fields, image);

/** One field of an order and a different value for it; a field of null was sent, a missing one was not. */
const change = fc.oneof(
  fc.record({ purpose: fc.constantFrom<Purpose>('submit', 'update', 'renew') }),
  fc.record({ target: text }),
  fc.record({ image: fc.option(text) }),
  fc.record({ field: fc.constantFrom(...projectTextFields), value: fc.oneof(fc.option(text), fc.constant(undefined)) }),
);

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(of: Content, by: Change): Content {
  if (!('field' in by)) return { ...of, ...by };
  const { [by.field]: _, ...others } = of.fields;
  return { ...of, fields: by.value === undefined ? others : { ...others, [by.field]: by.value } };
}

test('any change of purpose, project, one field or the picture changes the hash of an order [R16 R17]', () => {
  fc.assert(
    fc.property(content, change, (before, by) => {
      const after = changed(before, by);
      const isSame = JSON.stringify(inOrder(after)) === JSON.stringify(inOrder(before));
      expect(hashOf(after) === hashOf(before)).toBe(isSame);
    }),
    runs(1000),
  );
});

/** The content with its fields in one order, so that equal contents are written alike. */
const inOrder = ({ fields, ...rest }: Content) => [
  rest,
  projectTextFields.map((name) => [name in fields, fields[name]]),
];

test('the order in which fields are sent does not change the hash, and nothing else is in it [R16 R17]', () => {
  fc.assert(
    fc.property(content, fc.nat(), (order, seed) => {
      const entries = Object.entries(order.fields);
      const at = entries.length === 0 ? 0 : seed % entries.length;
      const turned = [...entries.slice(at), ...entries.slice(0, at)];
      for (const fields of [turned, turned.toReversed()])
        expect(hashOf({ ...order, fields: Object.fromEntries(fields) })).toBe(hashOf(order));
    }),
    runs(),
  );
});
