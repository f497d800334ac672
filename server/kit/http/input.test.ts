import { expect, test } from 'vitest';
import { z } from 'zod';
import { allEndpoints } from '#shared/contract/all.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { parseInput } from './input.ts';

/** A schema without what wraps it: optional, with a default, converted. */
function inner(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodPipe) return inner(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return inner(schema.unwrap());
  return schema as z.ZodType;
}

type Field = [name: string, schema: z.ZodType];

function fieldsOf(given: unknown): Field[] {
  const schema = inner(given);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldsOf);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]): Field[] => [[name, inner(field)], ...fieldsOf(field)]);
}

const FIELDS = allEndpoints().flatMap(([, { params, query, body }]) => [params, query, body].flatMap(fieldsOf));
const BAD = [
  undefined,
  null,
  '',
  'x'.repeat(300_000),
  1e17,
  -1,
  1.5,
  true,
  [],
  {},
  [1e17],
  [-1],
  ['x'],
  [null],
  Array.from({ length: 5_000 }, () => 1),
];

function sentencesOf([name, schema]: Field): string[] {
  const endpoint = { body: z.object({ [name]: schema }) } as unknown as EndpointSpec;
  return BAD.flatMap((value) => {
    try {
      parseInput(endpoint, { params: {}, query: {}, body: { [name]: value } });
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

test('every message about a field of the contract names a subject that users know, and no meaningless number [R34]', () => {
  const switches = FIELDS.filter(([, schema]) => schema instanceof z.ZodBoolean);
  const lists = FIELDS.filter(([, schema]) => schema instanceof z.ZodArray);
  expect([switches.length > 5, lists.length > 4, FIELDS.length > 100]).toEqual([true, true, true]);
  const found = new Set(FIELDS.flatMap(sentencesOf));
  expect(found.size).toBeGreaterThan(100);
  expect(
    [...found].filter((text) =>
      /\d{7,}|[a-z][A-Z]| (?:is|can|must|has) (?:is|can|must|has) |^The (?:[a-z]+s|up to|act|as|aside|hidden) (?:is|can|must) /.test(
        text,
      ),
    ),
  ).toEqual([]);
  const said = (fields: Field[]) => new Set(fields.flatMap(sentencesOf));
  expect([...said(switches)].filter((text) => !text.startsWith('The choice '))).toEqual([]);
  expect([...said(lists)].filter((text) => !/^(?:The list|An entry of the list) of |^At most \d+ /.test(text))).toEqual(
    [],
  );
});
