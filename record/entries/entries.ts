import { HASH_BYTES } from '../log/hashes.ts';
import { SUI_NETWORKS } from '#shared/constants.ts';
import { VOTE_STATES } from '#shared/states/votes.ts';
import { compareBase64Url, isBase64Url } from './base64url.ts';
import { PSEUDONYM_BYTES } from './secrets.ts';

/** The entries of the public record: lines of ASCII, fields separated by one space (docs/use/record.md). */

/** The newest format that this code reads and writes. The first batch of a log names its format. */
export const RECORD_FORMAT = 1;

export const OWNER_STATES = ['proven', 'controls', 'accepted', 'lost'] as const;

/** Voters by the state of their votes; the fields of an entry have the reasons in the order of `REASONS`. */
export const REASON_GROUPS = ['verified', 'others'] as const;

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

/** Omitted if it is 1, so that each value has one spelling. */
const identity: Field<number> = {
  write: (value) => (value === 1 ? null : String(value)),
  read(line) {
    if (line.isAtEnd) return 1;
    const value = number.read(line);
    return value > 1 ? value : line.fail('an identity');
  },
};

const matching = (pattern: RegExp, what: string): Field<string> => ({
  write: (value) => value,
  read(line) {
    const text = line.next();
    return pattern.test(text) ? text : line.fail(what);
  },
});
const address = matching(/^0x[0-9a-f]{64}$/, 'an address');

const orNone = (field: Field<string>): Field<string | null> => ({
  write: (value) => value ?? 'none',
  read: (line) => (line.skip('none') ? null : field.read(line)),
});

const found: Field<{ read: number; standing: number } | null> = {
  write: (value) => (value ? `${value.read} ${value.standing}` : 'skipped'),
  read: (line) => (line.skip('skipped') ? null : { read: number.read(line), standing: number.read(line) }),
};

/** Maximum pseudonyms in a line, so that a bundle of lines stays small. */
export const STATE_PSEUDONYMS = 16;

/** All words up to the end of the line, ascending by their bytes. */
const pseudonyms: Field<string[]> = {
  write: (value) => value.join(' '),
  read(line) {
    const found: string[] = [];
    do {
      const next = key.pseudonym.read(line);
      const last = found.at(-1);
      if (last !== undefined && compareBase64Url(last, next) >= 0) line.fail('pseudonyms in order');
      found.push(next);
    } while (!line.isAtEnd);
    return found.length <= STATE_PSEUDONYMS ? found : line.fail(`${STATE_PSEUDONYMS} pseudonyms at most`);
  },
};

const state = oneOf(VOTE_STATES, 'a state');
const hash = bytes(HASH_BYTES);
const key = { projectId: number, period: number, pseudonym: bytes(PSEUDONYM_BYTES) };
const totals = { bullish: number, bearish: number, verifiedBullish: number, verifiedBearish: number };
const { projectId, period, pseudonym } = key;
/** `identity` is the project's identity that the voter saw. */
const opinion = { day, projectId, period, bullish: direction, pseudonym, state, identity };

/** The fields of each kind in their order. */
const KINDS = {
  vote: opinion,
  /** The voter changed or confirmed the vote; the newest opinion of a key counts. */
  change: opinion,
  /** Votes of a project and period that are in this state from now on. */
  state: { day, projectId, period, state, pseudonyms },
  project: { day, projectId, period, ...totals },
  format: { day, version: number },
  /** The wallet that anchors the checkpoints from this batch on; null: none. */
  anchor: { day, sender: orNone(address) },
  /** A Book through which the site pays (R97). */
  book: { day, network: oneOf(SUI_NETWORKS, 'a network'), packageId: address, bookId: address },
  /** Snaps that one transaction paid by hand; its digest is null if all its accounts are deleted. */
  payout: { day, snaps: number, digest: orNone(matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'a digest')) },
  /** `identity` is one more than in the version before where name, picture, handle or website changed. */
  version: { day, projectId, number, identity: number, hash },
  /** A moderator deleted the content of a version for good. */
  blank: { day, projectId, number },
  /** A moderator's statement that a project with a changed identity is the same project. */
  same: { day, projectId, identity: number },
  /** Takes a `same` statement back. */
  apart: { day, projectId, identity: number },
  /** `hash` is the `ownerHash` of the proof, also of a lost one. */
  owner: { day, projectId, state: oneOf(OWNER_STATES, 'a state'), hash },
  /** How many of these voters gave each reason; each voter gives up to two. */
  reasons: {
    day,
    projectId,
    group: oneOf(REASON_GROUPS, 'a group'),
    bullish: direction,
    voters: number,
    team: number,
    product: number,
    token: number,
    risk: number,
    community: number,
  },
  /** Results of a day's readings; null if the day was skipped. */
  standing: { day, found },
  /** SHA-256 of the file of the day's votes, before compression. */
  file: { day, hash },
  /**
   * Snaps in the site's books at the end of the day, besides those earned by votes. `lost`: earned by recorded votes that a restore
   * took out of the books; `ahead`: paid by recorded payouts by hand that it took out.
   */
  supply: { day, granted: number, burned: number, paid: number, held: number, lost: number, ahead: number },
  /** The last entry of a batch, with the number of entries of each group. */
  batch: { day, votes: number, states: number, projects: number, others: number },
};
type Kind = keyof typeof KINDS;
type ValuesOf<Fields> = { [N in keyof Fields]: Fields[N] extends Field<infer T> ? T : never };
export type EntryOf<K extends Kind> = { [One in K]: { kind: One } & ValuesOf<(typeof KINDS)[One]> }[K];

export type VoteKey = ValuesOf<typeof key>;
export type ProjectTotals = ValuesOf<typeof totals>;
export type OpinionEntry = EntryOf<'vote' | 'change'>;
/** An entry of a kind that this code does not know. Its bytes are part of the tree; what it says is believed. */
export interface UnknownEntry {
  kind: 'unknown';
  word: string;
  day: string;
  /** The rest of the line, after the day. */
  rest: string;
}
export type OtherEntry = Exclude<EntryOf<Kind>, OpinionEntry | EntryOf<'state' | 'project' | 'batch'>> | UnknownEntry;
export type RecordEntry = EntryOf<Kind> | UnknownEntry;

const fieldsOf = (kind: Kind): Array<[name: string, field: Field<unknown>]> => FIELDS[kind];
const FIELDS = Object.fromEntries(
  Object.entries(KINDS).map(([kind, fields]) => [kind, Object.entries(fields)]),
) as unknown as Record<Kind, Array<[string, Field<unknown>]>>;

export function formatEntry(entry: RecordEntry): string {
  if (entry.kind === 'unknown') return `${entry.word} ${entry.day}${entry.rest}`;
  let line: string = entry.kind;
  for (const [name, field] of fieldsOf(entry.kind)) {
    const text = field.write((entry as unknown as Record<string, unknown>)[name]);
    if (text !== null) line += ` ${text}`;
  }
  return line;
}

const isKind = (word: string): word is Kind => Object.hasOwn(KINDS, word);

function parseUnknown(line: Line, text: string, word: string): UnknownEntry {
  if (!/^[a-z]{1,32}$/.test(word) || !/^[ -~]*$/.test(text)) return line.fail('its kind');
  const onDay = day.read(line);
  return { kind: 'unknown', word, day: onDay, rest: text.slice(word.length + 1 + onDay.length) };
}

/** Reads an entry. @throws RecordError for any line that `formatEntry` does not write. */
export function parseEntry(text: string): RecordEntry {
  const line = new Line(text);
  const kind = line.next();
  if (!isKind(kind)) return parseUnknown(line, text, kind);
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
