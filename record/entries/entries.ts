import { HASH_BYTES } from '../log/hashes.ts';
import { VOTE_STATES, type VoteState } from '#shared/states/votes.ts';
import { isBase64Url } from './base64url.ts';
import { PSEUDONYM_BYTES } from './secrets.ts';

/** The entries of the public record: lines of ASCII, fields separated by one space (docs/use/record.md). */

/** The newest format that this code reads and writes; `format` entries name that of a log. */
export const RECORD_FORMAT = 2;

export interface ProjectTotals {
  bullish: number;
  bearish: number;
  verifiedBullish: number;
  verifiedBearish: number;
}

export interface VoteKey {
  projectId: number;
  period: number;
  pseudonym: string;
}

interface Opinion extends VoteKey {
  day: string;
  bullish: boolean;
  state: VoteState;
  /** The project's identity that the voter saw, from 1. */
  identity: number;
}

export interface VoteEntry extends Opinion {
  kind: 'vote';
}

/** The voter changed or confirmed the vote; the newest opinion of a key counts. */
export interface ChangeEntry extends Opinion {
  kind: 'change';
}
export type OpinionEntry = VoteEntry | ChangeEntry;

export interface StateEntry extends VoteKey {
  kind: 'state';
  day: string;
  state: VoteState;
}

export interface ProjectEntry extends ProjectTotals {
  kind: 'project';
  day: string;
  projectId: number;
  period: number;
}

export interface FormatEntry {
  kind: 'format';
  day: string;
  version: number;
}

/** The wallet that anchors the checkpoints from this batch on; null: none. */
export interface AnchorEntry {
  kind: 'anchor';
  day: string;
  sender: string | null;
}

export interface VersionEntry {
  kind: 'version';
  day: string;
  projectId: number;
  number: number;
  /** One more than in the version before where name, picture, handle or website changed. */
  identity: number;
  hash: string;
}

/** A moderator's statement that a project with a changed identity is the same project. */
export interface SameEntry {
  kind: 'same';
  day: string;
  projectId: number;
  identity: number;
}

export const OWNER_STATES = ['proven', 'controls', 'accepted', 'lost'] as const;
export type OwnerState = (typeof OWNER_STATES)[number];

export interface OwnerEntry {
  kind: 'owner';
  day: string;
  projectId: number;
  state: OwnerState;
  /** `ownerHash` in base64url; of the proof that was lost. */
  hash: string;
}

export interface HoldersEntry {
  kind: 'holders';
  day: string;
  projectId: number;
  holdersBullish: number;
  holdersBearish: number;
  othersBullish: number;
  othersBearish: number;
}

/** Results of a day's readings; null where the day was skipped. */
export interface StandingEntry {
  kind: 'standing';
  day: string;
  found: { read: number; standing: number } | null;
}

export interface LiabilitiesEntry {
  kind: 'liabilities';
  day: string;
  total: bigint;
  accounts: number;
  root: string;
}

/** The last entry of each batch, with the number of entries of each group. */
export interface BatchEntry {
  kind: 'batch';
  day: string;
  votes: number;
  states: number;
  projects: number;
  others: number;
}

export type OtherEntry =
  | FormatEntry
  | AnchorEntry
  | VersionEntry
  | SameEntry
  | OwnerEntry
  | HoldersEntry
  | StandingEntry
  | LiabilitiesEntry;
export type RecordEntry = OpinionEntry | StateEntry | ProjectEntry | OtherEntry | BatchEntry;

export class RecordError extends Error {
  override name = 'RecordError';
}

class Line {
  private readonly fields: string[];
  private readonly line: string;
  private at = 0;

  constructor(line: string) {
    this.line = line;
    this.fields = line.split(' ');
  }

  fail(what: string): never {
    throw new RecordError(`Not an entry of the record (${what}): ${this.line.slice(0, 120)}`);
  }

  next(): string {
    this.at += 1;
    return this.fields[this.at - 1] ?? this.fail('a field is missing');
  }

  skip(word: string): boolean {
    if (this.fields[this.at] !== word) return false;
    this.at += 1;
    return true;
  }

  get isAtEnd(): boolean {
    return this.at === this.fields.length;
  }
}

/** How a value is written into a line and read from it; null leaves the field out. */
interface Field<T> {
  write: (value: T) => string | null;
  read: (line: Line) => T;
}

const number: Field<number> = {
  write: String,
  read(line) {
    const text = line.next();
    const value = Number(text);
    return /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(value) ? value : line.fail('a number');
  },
};

const sum: Field<bigint> = {
  write: String,
  read(line) {
    const text = line.next();
    const value = /^(?:0|[1-9]\d{0,18})$/.test(text) ? BigInt(text) : line.fail('a sum');
    return value < 2n ** 63n ? value : line.fail('a sum');
  },
};

/** Most entries have the day of the entry before. */
let lastDay = '';
const day: Field<string> = {
  write: (value) => value,
  read(line) {
    const text = line.next();
    if (text === lastDay) return text;
    const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
    if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) return line.fail('a day');
    lastDay = text;
    return text;
  },
};

const bytes = (length: number): Field<string> => ({
  write: (value) => value,
  read(line) {
    const text = line.next();
    return isBase64Url(text, length) ? text : line.fail(`${length} bytes in base64url`);
  },
});

const oneOf = <T extends string>(words: readonly T[], what: string): Field<T> => ({
  write: (value) => value,
  read(line) {
    const text = line.next();
    return words.find((word) => word === text) ?? line.fail(what);
  },
});

const direction: Field<boolean> = {
  write: (isBullish) => (isBullish ? 'bullish' : 'bearish'),
  read: (line) => oneOf(['bullish', 'bearish'], 'a direction').read(line) === 'bullish',
};

/** Omitted where it is 1, so that each value has one spelling. */
const identity: Field<number> = {
  write: (value) => (value === 1 ? null : String(value)),
  read(line) {
    if (line.isAtEnd) return 1;
    const value = number.read(line);
    return value > 1 ? value : line.fail('an identity');
  },
};

const sender: Field<string | null> = {
  write: (value) => value ?? 'none',
  read(line) {
    if (line.skip('none')) return null;
    const text = line.next();
    return /^0x[0-9a-f]{64}$/.test(text) ? text : line.fail('an address');
  },
};

const found: Field<StandingEntry['found']> = {
  write: (value) => (value ? `${value.read} ${value.standing}` : 'skipped'),
  read: (line) => (line.skip('skipped') ? null : { read: number.read(line), standing: number.read(line) }),
};

type FieldsOf<E> = { [N in Exclude<keyof E, 'kind'>]: Field<E[N]> };

const pseudonym = bytes(PSEUDONYM_BYTES);
const hash = bytes(HASH_BYTES);
const state = oneOf(VOTE_STATES, 'a state');
const opinion: FieldsOf<OpinionEntry> = {
  day,
  projectId: number,
  period: number,
  bullish: direction,
  pseudonym,
  state,
  identity,
};

const KINDS: { [K in RecordEntry['kind']]: FieldsOf<Extract<RecordEntry, { kind: K }>> } = {
  vote: opinion,
  change: opinion,
  state: { day, projectId: number, period: number, pseudonym, state },
  project: {
    day,
    projectId: number,
    period: number,
    bullish: number,
    bearish: number,
    verifiedBullish: number,
    verifiedBearish: number,
  },
  format: { day, version: number },
  anchor: { day, sender },
  version: { day, projectId: number, number, identity: number, hash },
  same: { day, projectId: number, identity: number },
  owner: { day, projectId: number, state: oneOf(OWNER_STATES, 'a state'), hash },
  holders: {
    day,
    projectId: number,
    holdersBullish: number,
    holdersBearish: number,
    othersBullish: number,
    othersBearish: number,
  },
  standing: { day, found },
  liabilities: { day, total: sum, accounts: number, root: hash },
  batch: { day, votes: number, states: number, projects: number, others: number },
};

const fieldsOf = (kind: RecordEntry['kind']): Array<[name: string, field: Field<unknown>]> => FIELDS[kind];
const FIELDS = Object.fromEntries(
  Object.entries(KINDS).map(([kind, fields]) => [kind, Object.entries(fields)]),
) as unknown as Record<RecordEntry['kind'], Array<[string, Field<unknown>]>>;

export function formatEntry(entry: RecordEntry): string {
  let line: string = entry.kind;
  for (const [name, field] of fieldsOf(entry.kind)) {
    const text = field.write((entry as unknown as Record<string, unknown>)[name]);
    if (text !== null) line += ` ${text}`;
  }
  return line;
}

const isKind = (word: string): word is RecordEntry['kind'] => Object.hasOwn(KINDS, word);

/** Reads an entry. @throws RecordError for any line that `formatEntry` does not write. */
export function parseEntry(text: string): RecordEntry {
  const line = new Line(text);
  const kind = line.next();
  if (!isKind(kind)) return line.fail('its kind');
  const entry: Record<string, unknown> = { kind };
  for (const [name, field] of fieldsOf(kind)) entry[name] = field.read(line);
  if (!line.isAtEnd) line.fail('too many fields');
  return entry as unknown as RecordEntry;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('latin1');

export const encodeEntry = (entry: RecordEntry): Uint8Array => encoder.encode(formatEntry(entry));

/** Reads the bytes of an entry, as a bundle has them. @throws RecordError */
export function decodeEntry(entry: Uint8Array): RecordEntry {
  // Each byte is its own character: bytes that are not ASCII fail as a field and never decode to another spelling.
  return parseEntry(decoder.decode(entry));
}
