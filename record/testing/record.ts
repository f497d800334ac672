import { toBase64 } from '@mysten/sui/utils';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { encodeBundle } from '../log/bundles.ts';
import { signCheckpoint } from '../log/checkpoint.ts';
import { type Hash, hashLeaf } from '../log/hashes.ts';
import { createSigner, formatVerifier } from '../log/note.ts';
import { bundlePath, TILE_WIDTH, tileAt, tilePath, TreeBuilder } from '../log/tiles.ts';
import { anchorAddress } from '../proof/anchor.ts';
import type { FileReader } from '../proof/remote-files.ts';
import { compareOpinions, compareStates } from '../entries/batches.ts';
import { dayEndMs } from '../entries/days.ts';
import {
  type EntryOf,
  encodeEntry,
  type OpinionEntry,
  type OtherEntry,
  type ProjectTotals,
  RECORD_FORMAT,
  RecordError,
  type RecordEntry,
  STATE_PSEUDONYMS,
  type VoteKey,
} from '../entries/entries.ts';
import { pseudonymOf } from '../entries/secrets.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { type RecordResult, type RecordTask, verifyRecord } from '../verify/record.ts';

/** A vote of a made-up voter, identified by a number. */
export interface MadeVote {
  voter: number;
  projectId: number;
  bullish?: boolean;
  state?: VoteState;
  period?: number;
  /** The batch's by default. */
  day?: string;
  identity?: number;
}

export interface MadeBatch {
  day: string;
  votes?: MadeVote[];
  changes?: MadeVote[];
  /** Entries of other kinds, in the order of the record, before the batch's usual ones. */
  others?: OtherEntry[];
  states?: Array<Pick<MadeVote, 'voter' | 'projectId' | 'period'> & { state: VoteState }>;
  /** Sums that differ from those of the batch before. */
  supply?: Partial<typeof NO_SNAPS>;
}

export interface MadeCheckpoint {
  size: number;
  day: string;
  root: Hash;
  note: string;
  address: string;
}

const NO_SNAPS = { granted: 0, burned: 0, paid: 0, held: 0, lost: 0, ahead: 0 };
const NO_VOTES: ProjectTotals = { bullish: 0, bearish: 0, verifiedBullish: 0, verifiedBearish: 0 };
const signer = createSigner('snapswipe.test/log', new Uint8Array(32).fill(9));

/** A secret that is easy to distinguish from others. */
export const madeSecret = (voter: number): Uint8Array => {
  const secret = new Uint8Array(32).fill(170);
  new DataView(secret.buffer).setUint32(0, voter);
  return secret;
};

/** The votes of each state, project and period in lines as the server writes them. */
export function stateLines(
  day: string,
  states: ReadonlyArray<VoteKey & { state: VoteState }>,
): Array<EntryOf<'state'>> {
  const single = states
    .map(({ pseudonym, ...one }): EntryOf<'state'> => ({ kind: 'state', day, ...one, pseudonyms: [pseudonym] }))
    .sort(compareStates);
  const groups: Array<EntryOf<'state'>> = [];
  for (const one of single) {
    const last = groups.at(-1);
    const isSame = last && compareStates({ ...last, pseudonyms: one.pseudonyms }, one) === 0;
    if (isSame && last.pseudonyms.length < STATE_PSEUDONYMS) last.pseudonyms.push(...one.pseudonyms);
    else groups.push(one);
  }
  return groups;
}

/** A record in memory, published batch by batch as the server does. Its files can be forged. */
export class MadeRecord {
  readonly verifierKey = formatVerifier(signer);
  readonly entries: RecordEntry[] = [];
  readonly checkpoints: MadeCheckpoint[] = [];
  readonly files = new Map<string, Uint8Array>();
  /** Changes entries before they are hashed and signed: the log is false from the start. */
  tamper: (entries: RecordEntry[]) => RecordEntry[] = (entries) => entries;
  /** The wallet that the first batch names for the record's anchors. */
  anchorSender: string | null = null;
  private readonly totals = new Map<string, ProjectTotals>();
  private readonly known = new Map<string, OpinionEntry>();
  private bytes: Uint8Array[] = [];
  private supply = NO_SNAPS;

  get size(): number {
    return this.entries.length;
  }

  /** Reads the files that `publish` has written, including later changes. */
  readonly read: FileReader = (path) => {
    const bytes = this.files.get(path);
    return bytes ? Promise.resolve(bytes) : Promise.reject(new RecordError(`${path} is missing`));
  };

  private count({ projectId, period, bullish, state }: OpinionEntry, by: 1 | -1): void {
    if (state === 'replaced') return;
    const key = `${projectId} ${period}`;
    const total = { ...(this.totals.get(key) ?? NO_VOTES) };
    total[bullish ? 'bullish' : 'bearish'] += by;
    if (state === 'verified') total[bullish ? 'verifiedBullish' : 'verifiedBearish'] += by;
    this.totals.set(key, total);
  }

  private opinionOf(
    kind: OpinionEntry['kind'],
    day: string,
    { voter, projectId, bullish = true, state = 'waiting', period = 1, identity = 1, ...rest }: MadeVote,
  ): OpinionEntry {
    const pseudonym = pseudonymOf(madeSecret(voter), projectId);
    return { kind, day: rest.day ?? day, projectId, period, bullish, pseudonym, state, identity };
  }

  private hold(opinion: OpinionEntry): void {
    const key = `${opinion.projectId} ${opinion.period} ${opinion.pseudonym}`;
    const before = this.known.get(key);
    if (before && opinion.kind === 'change') this.count(before, -1);
    this.known.set(key, opinion);
    this.count(opinion, 1);
  }

  private change({ projectId, period, pseudonyms, state }: EntryOf<'state'>): void {
    for (const pseudonym of pseudonyms) {
      const key = `${projectId} ${period} ${pseudonym}`;
      const vote = this.known.get(key);
      if (!vote) continue;
      this.count(vote, -1);
      this.known.set(key, { ...vote, state });
      this.count({ ...vote, state }, 1);
    }
  }

  publish({ day, votes = [], changes = [], others = [], states = [], supply }: MadeBatch): void {
    const before = new Map(this.totals);
    const opinions = [
      ...votes.map((vote) => this.opinionOf('vote', day, vote)),
      ...changes.map((vote) => this.opinionOf('change', day, vote)),
    ].sort(compareOpinions);
    const stateEntries = stateLines(
      day,
      states.map(({ voter, projectId, period = 1, state }) => {
        return { projectId, period, state, pseudonym: pseudonymOf(madeSecret(voter), projectId) };
      }),
    );
    for (const opinion of opinions) this.hold(opinion);
    for (const state of stateEntries) this.change(state);
    const projects = [...this.totals]
      .filter(([key, total]) => JSON.stringify(total) !== JSON.stringify(before.get(key)))
      .map(([key, total]): EntryOf<'project'> => {
        const [projectId = 0, period = 0] = key.split(' ').map(Number);
        return { kind: 'project', day, projectId, period, ...total };
      })
      .sort((one, other) => one.projectId - other.projectId || one.period - other.period);
    const rest: RecordEntry[] = [...this.identity(day), ...others];
    if (!others.some(({ kind }) => kind === 'standing')) rest.push({ kind: 'standing', day, found: null });
    this.supply = { ...this.supply, ...supply };
    rest.push({ kind: 'supply', day, ...this.supply });
    const counts = { votes: opinions.length, states: stateEntries.length, projects: projects.length };
    const end: RecordEntry = { kind: 'batch', day, ...counts, others: rest.length };
    this.append(this.tamper([...opinions, ...stateEntries, ...projects, ...rest, end]), day);
  }

  /** The record's facts in the first batch. */
  private identity(day: string): OtherEntry[] {
    if (this.size > 0) return [];
    return [
      { kind: 'format', day, version: RECORD_FORMAT },
      { kind: 'anchor', day, sender: this.anchorSender },
    ];
  }

  private append(entries: readonly RecordEntry[], day: string): void {
    this.entries.push(...entries);
    this.bytes.push(...entries.map(encodeEntry));
    const builder = new TreeBuilder(0, [], (tile, bytes) => void this.files.set(tilePath(tile), bytes));
    for (const entry of this.bytes) builder.append(hashLeaf(entry));
    for (const { tile, bytes } of builder.partialTiles()) this.files.set(tilePath(tile), bytes);
    for (let index = 0; index * TILE_WIDTH < this.size; index += 1) {
      const tile = tileAt(0, index, this.size);
      const start = index * TILE_WIDTH;
      if (tile) this.files.set(bundlePath(tile), encodeBundle(this.bytes.slice(start, start + tile.width)));
    }
    const root = builder.root();
    if (!root) return;
    const note = signCheckpoint({ origin: signer.name, size: this.size, root }, signer);
    this.files.set('checkpoint', new TextEncoder().encode(note));
    this.checkpoints.push({ size: this.size, day, root, note, address: anchorAddress(root) });
  }
}

/** The checkpoints as the server lists them, oldest first. */
export const listedCheckpoints = ({ checkpoints }: MadeRecord): RecordCheckpoint[] =>
  checkpoints.map(({ size, day, root, note, address }) => ({
    size,
    day,
    until: new Date(dayEndMs(day)).toISOString(),
    root: toBase64(root),
    note,
    anchorState: 'none',
    anchorDigest: null,
    anchorAddress: address,
    createdAt: new Date(dayEndMs(day)).toISOString(),
  }));

/** The check of the record, which waits for nothing. */
export const verifyMade = (record: MadeRecord, task: Partial<RecordTask> = {}): Promise<RecordResult> =>
  verifyRecord({
    files: record.read,
    verifierKey: record.verifierKey,
    loadCheckpoints: () => Promise.resolve(listedCheckpoints(record)),
    onProgress: () => undefined,
    wait: () => Promise.resolve(),
    ...task,
  });

/** Changes the lowest bit of a byte; below 0 it is counted from the end. */
export const flip = (at: number) => (bytes: Uint8Array) => {
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return bytes;
};
