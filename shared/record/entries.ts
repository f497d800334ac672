import { HASH_BYTES } from '../log/hashes.ts';
import { VOTE_STATES, type VoteState } from '../states/votes.ts';
import { fromBase64Url } from './base64url.ts';
import { PSEUDONYM_BYTES } from './secrets.ts';

/** The entries of the public record: lines of ASCII, fields separated by one space (docs/record.md). */

/** The votes of a listing period that counted for a project as of the batch: those that no newer one replaces. */
export interface ProjectTotals {
  bullish: number;
  bearish: number;
  verifiedBullish: number;
  verifiedBearish: number;
}

/** Whose vote, on what: no two votes of the record have the same. */
export interface VoteKey {
  projectId: number;
  period: number;
  pseudonym: string;
}

export interface VoteEntry extends VoteKey {
  kind: 'vote';
  day: string;
  bullish: boolean;
  state: VoteState;
}

/** A later change of a vote's state. */
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

/** What the readings of a day found; null where the day was skipped. */
export interface StandingEntry {
  kind: 'standing';
  day: string;
  found: { read: number; standing: number } | null;
}

/** The root of the tree of sums over all balances, in base64url. */
export interface LiabilitiesEntry {
  kind: 'liabilities';
  day: string;
  total: bigint;
  accounts: number;
  root: string;
}

/** The last entry of each batch: how many of each group stand before it. */
export interface BatchEntry {
  kind: 'batch';
  day: string;
  votes: number;
  states: number;
  projects: number;
  others: number;
}

export type RecordEntry = VoteEntry | StateEntry | ProjectEntry | StandingEntry | LiabilitiesEntry | BatchEntry;

/** Why something is no part of a record; the message says it for people. */
export class RecordError extends Error {
  override name = 'RecordError';
}

const VOTE_TYPE = { bullish: true, bearish: false } as const;

export function formatEntry(entry: RecordEntry): string {
  const { kind, day } = entry;
  switch (kind) {
    case 'vote': {
      const direction = entry.bullish ? 'bullish' : 'bearish';
      return `vote ${day} ${entry.projectId} ${entry.period} ${direction} ${entry.pseudonym} ${entry.state}`;
    }
    case 'state':
      return `state ${day} ${entry.projectId} ${entry.period} ${entry.pseudonym} ${entry.state}`;
    case 'project': {
      const { bullish, bearish, verifiedBullish, verifiedBearish } = entry;
      return `project ${day} ${entry.projectId} ${entry.period} ${bullish} ${bearish} ${verifiedBullish} ${verifiedBearish}`;
    }
    case 'standing':
      return `standing ${day} ${entry.found ? `${entry.found.read} ${entry.found.standing}` : 'skipped'}`;
    case 'liabilities':
      return `liabilities ${day} ${entry.total} ${entry.accounts} ${entry.root}`;
    case 'batch':
      return `batch ${day} ${entry.votes} ${entry.states} ${entry.projects} ${entry.others}`;
  }
}

/** Reads the fields of one line from left to right. */
class Fields {
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

  text(): string {
    this.at += 1;
    return this.fields[this.at - 1] ?? this.fail('a field is missing');
  }

  number(): number {
    const text = this.text();
    const value = Number(text);
    return /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(value) ? value : this.fail('a number');
  }

  tokens(): bigint {
    const text = this.text();
    const value = /^(?:0|[1-9]\d{0,18})$/.test(text) ? BigInt(text) : this.fail('a sum');
    return value < 2n ** 63n ? value : this.fail('a sum');
  }

  day(): string {
    const text = this.text();
    const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : this.fail('a day');
  }

  bytes(length: number): string {
    const text = this.text();
    return fromBase64Url(text, length) ? text : this.fail(`${length} bytes in base64url`);
  }

  bullish(): boolean {
    const text = this.text();
    return text === 'bullish' || text === 'bearish' ? VOTE_TYPE[text] : this.fail('a direction');
  }

  state(): VoteState {
    const text = this.text();
    return VOTE_STATES.find((state) => state === text) ?? this.fail('a state');
  }

  /** Whether the next field is this one, which is then read. */
  is(word: string): boolean {
    if (this.fields[this.at] !== word) return false;
    this.at += 1;
    return true;
  }

  end(): void {
    if (this.at !== this.fields.length) this.fail('too many fields');
  }
}

const FIELDS: { [K in RecordEntry['kind']]: (fields: Fields) => Extract<RecordEntry, { kind: K }> } = {
  vote: (of) => ({
    kind: 'vote',
    day: of.day(),
    projectId: of.number(),
    period: of.number(),
    bullish: of.bullish(),
    pseudonym: of.bytes(PSEUDONYM_BYTES),
    state: of.state(),
  }),
  state: (of) => ({
    kind: 'state',
    day: of.day(),
    projectId: of.number(),
    period: of.number(),
    pseudonym: of.bytes(PSEUDONYM_BYTES),
    state: of.state(),
  }),
  project: (of) => ({
    kind: 'project',
    day: of.day(),
    projectId: of.number(),
    period: of.number(),
    bullish: of.number(),
    bearish: of.number(),
    verifiedBullish: of.number(),
    verifiedBearish: of.number(),
  }),
  standing: (of) => ({
    kind: 'standing',
    day: of.day(),
    found: of.is('skipped') ? null : { read: of.number(), standing: of.number() },
  }),
  liabilities: (of) => ({
    kind: 'liabilities',
    day: of.day(),
    total: of.tokens(),
    accounts: of.number(),
    root: of.bytes(HASH_BYTES),
  }),
  batch: (of) => ({
    kind: 'batch',
    day: of.day(),
    votes: of.number(),
    states: of.number(),
    projects: of.number(),
    others: of.number(),
  }),
};

const isKind = (word: string): word is RecordEntry['kind'] => Object.hasOwn(FIELDS, word);

/** Reads an entry. @throws RecordError for any line that `formatEntry` does not write. */
export function parseEntry(line: string): RecordEntry {
  const fields = new Fields(line);
  const kind = fields.text();
  if (!isKind(kind)) return fields.fail('its kind');
  const entry = FIELDS[kind](fields);
  fields.end();
  return entry;
}

export const encodeEntry = (entry: RecordEntry): Uint8Array => new TextEncoder().encode(formatEntry(entry));

/** Reads the bytes of an entry, as a bundle has them. @throws RecordError */
export function decodeEntry(bytes: Uint8Array): RecordEntry {
  // Each byte its own character: what is not ASCII fails as a field, and never decodes to another spelling.
  return parseEntry(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
