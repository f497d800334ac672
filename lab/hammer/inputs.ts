import type { Random } from './random.ts';

/** The part of JSON Schema that the contract's schemas produce. */
export interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

/** Values with a meaning in this run, by the name of their field or parameter. */
export type Known = Record<string, readonly [unknown, ...unknown[]]>;

type Texts = readonly [string, ...string[]];
const BASE58: Texts = ['1', '5', '9', 'A', 'J', 'Z', 'b', 'k', 'x', 'z'];

/** Values that no schema expects: each once broke a server. */
const HOSTILE: readonly [unknown, ...unknown[]] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\uD800',
  '\u202Eevil',
  '\u200B',
  '😀'.repeat(40),
  'e\u0301'.repeat(100),
  "'; DROP TABLE users; --",
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  'NaN',
  'Infinity',
  '1e309',
  '0x10',
  '-0',
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e308,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  Number.MIN_SAFE_INTEGER,
  2_147_483_647,
  2_147_483_648,
  9_223_372_036_854_776_000,
  '9223372036854775807',
  '9223372036854775808',
  '999999999999999',
  '٣',
  'toString',
  '__proto__',
  'constructor',
];

const HUGE_CHARS: readonly [number, ...number[]] = [201, 1000, 5001, 20_001, 70_000];

export function hostile(random: Random): unknown {
  if (random.chance(0.06)) return 'x'.repeat(random.pick(HUGE_CHARS));
  return random.pick(HOSTILE);
}

function text(random: Random, schema: JsonSchema): string {
  if (schema.format === 'uuid') return madeUpUuid(random);
  const most = Math.min(schema.maxLength ?? 60, 300);
  const length = random.chance(0.2) ? most : random.below(Math.min(most, 40)) + (schema.minLength ?? 0);
  const letters: Texts = random.chance(0.15)
    ? ['ä', '語', '😀', 'ß', 'ı', '\u200D', 'ﷺ', '"', '\\', '\n']
    : ['a', 'b', 'r', 'e', 'Q', '7', '-', ' ', '_', '.'];
  return Array.from({ length }, () => random.pick(letters)).join('');
}

const HEX: Texts = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
const hex = (random: Random, length: number): string => Array.from({ length }, () => random.pick(HEX)).join('');

export const madeUpUuid = (random: Random): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`;

/** Looks like a digest of 32 bytes most of the time; no transaction has it. */
export const madeUpDigest = (random: Random): string =>
  `4${Array.from({ length: 42 + random.below(2) }, () => random.pick(BASE58)).join('')}`;

export const madeUpAddress = (random: Random): string => `0x${hex(random, 64)}`;

function number(random: Random, { minimum, maximum, exclusiveMinimum }: JsonSchema): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? -5 : exclusiveMinimum + 1);
  if (random.chance(0.15)) return least - 1;
  if (maximum !== undefined && random.chance(0.15)) return random.chance(0.5) ? maximum : maximum + 1;
  return least + random.below(Math.min((maximum ?? 100) - least, 100) + 1);
}

/** A value that the schema accepts or nearly accepts; values of `known` for the name are preferred. */
export function valueFor(random: Random, schema: JsonSchema, name: string, known: Known): unknown {
  const values = known[name];
  // The first is a resolvable one.
  if (values !== undefined && random.chance(0.85)) return random.chance(0.5) ? values[0] : random.pick(values);
  if (schema.const !== undefined) return schema.const;
  const [first, ...more] = schema.enum ?? schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) {
    const picked = random.pick([first, ...more]);
    return schema.enum ? picked : valueFor(random, picked as JsonSchema, name, known);
  }
  switch (schema.type) {
    case 'object':
      return objectFor(random, schema, known);
    case 'array':
      return Array.from({ length: random.below(Math.min(schema.maxItems ?? 5, 5) + 1) }, () =>
        valueFor(random, schema.items ?? {}, `${name}[]`, known),
      );
    case 'integer':
    case 'number':
      return number(random, schema);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'string':
      return text(random, schema);
    default:
      return hostile(random);
  }
}

function objectFor(random: Random, schema: JsonSchema, known: Known): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) ?? false;
    if (random.chance(isNeeded ? 0.98 : 0.5)) made[name] = valueFor(random, property, name, known);
  }
  return made;
}

const IDENTITIES: Texts = ['userId', 'walletAddress', 'submittedBy', 'id', 'isAdmin', '__proto__', 'balance', 'state'];

/** The value with up to three errors: fields missing, added, named twice for others, or of another type. */
export function mutate(random: Random, value: unknown, known: Known): unknown {
  if (random.chance(0.03)) return hostile(random);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const changed: Record<string, unknown> = { ...value };
  for (let times = random.below(3); times >= 0; times -= 1) {
    const [first = 'extra', ...more] = Object.keys(changed);
    const name = random.pick([first, ...more]);
    if (random.chance(0.2)) delete changed[name];
    else if (random.chance(0.3)) {
      const added = random.pick(IDENTITIES);
      Object.defineProperty(changed, added, {
        value: random.pick(known[added] ?? [1, 2, 'x', null]),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else changed[name] = hostile(random);
  }
  return changed;
}
