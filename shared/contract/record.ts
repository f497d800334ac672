import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { Id, Time } from './types.ts';

/** The public record: docs/use/record.md. Its files are under /log/. */

const Day = z.string();
const Hash = z.string();

/** Data that the log committed to when it published a batch. */
export const RecordCheckpoint = z.object({
  size: z.int(),
  day: Day,
  /** The batch contains the votes cast before this moment. */
  until: Time,
  root: Hash,
  note: z.string(),
  /** none: nothing sent · sent: a transaction is signed, and the chain has not shown it yet · anchored: it is on chain. */
  anchorState: z.enum(['none', 'sent', 'anchored']),
  anchorDigest: z.string().nullable(),
  /** The Sui address that encodes the root: computing the root is enough to look it up. */
  anchorAddress: z.string(),
  createdAt: Time,
});
export type RecordCheckpoint = z.output<typeof RecordCheckpoint>;

export const RecordSummary = z.object({
  isPublished: z.boolean(),
  origin: z.string().nullable(),
  verifierKey: z.string().nullable(),
  /** The wallet that pays for anchors; null without ANCHOR_PRIVATE_KEY: checkpoints are only signed. */
  anchorSender: z.string().nullable(),
  witnesses: z.array(z.string()),
  /** The moments to which the database was restored: votes after them that no batch has may be lost. */
  restores: z.array(Time),
  checkpoints: z.array(RecordCheckpoint),
});
export type RecordSummary = z.output<typeof RecordSummary>;

export const getRecord = endpoint('getRecord', {
  access: 'public',
  summary: 'The public record: its key, and the newest checkpoints with their anchors (R40, R41)',
  response: RecordSummary,
});

export const listCheckpoints = endpoint('listCheckpoints', {
  access: 'public',
  summary: 'Every checkpoint of the public record, newest first',
  ...inPages({ size: 100, max: 1000 }),
  response: z.array(RecordCheckpoint),
});

const Directions = z.object({ bullish: z.int(), bearish: z.int() });
/** Votes of a project and listing period that no newer vote of the same user replaces, counted one by one. */
export const RecountedProject = z.object({
  projectId: Id,
  period: z.int(),
  /** Votes cast before `until`, which the record also contains. */
  recorded: Directions,
  /** Change by votes cast since then; below 0 if they replace recorded ones. */
  since: Directions,
  /** Votes and changes since then, replaced ones included; the next batches have as many more entries. */
  votes: z.int(),
  /** Covers the recorded votes, replaced ones included (docs/use/record.md); null while it is computed, or without recorded votes. */
  digest: z.string().nullable(),
});
export const Recount = z.object({
  /** The checkpoint that `recorded` belongs to; null before the first. */
  size: z.int().nullable(),
  until: Time.nullable(),
  projects: z.array(RecountedProject),
  asOf: Time,
});
export type Recount = z.output<typeof Recount>;

export const getRecount = endpoint('getRecount', {
  access: 'public',
  summary:
    'All votes counted one by one, before and since the newest checkpoint; the record and the counters must match them',
  response: Recount,
});

export const getVoterSecret = endpoint('getVoterSecret', {
  access: 'user',
  summary: "The secret behind the session's pseudonyms in the record; only the user can read it",
  response: z.object({ secret: z.string() }),
});

export const publishRecord = endpoint('publishRecord', {
  access: 'admin',
  summary: 'Publish everything since the newest checkpoint now; not in production',
  statuses: { 409: 'Something is in the way, which `error` names' },
  response: RecordCheckpoint,
});
