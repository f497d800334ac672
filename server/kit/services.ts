import type { Kysely } from 'kysely';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import type pg from 'pg';
import type { DB } from '#db/schema.ts';
import type { EventKind, EventSource } from '#shared/events.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Cache } from './cache/cache.ts';
import type { ChainStatusReader } from './chain-status.ts';
import type { Config } from './config.ts';
import type { Distribution } from './distribution.ts';
import type { ChainCalls } from './sui-client.ts';
import type { Tracing } from './tracing.ts';

/** Why cast_votes did not count a vote. */
export type VoteRejection =
  | 'no_session'
  | 'other_session'
  | 'no_project'
  | 'own_project'
  | 'already_voted'
  | 'expired'
  | 'renamed'
  | 'window_full';
export type VoteDecision = 'counted' | VoteRejection;

export interface Vote {
  /** SHA-256 of the session token; the database checks it in the same statement that counts the vote. */
  tokenHash: Buffer;
  userId: number;
  projectId: number;
  bullish: boolean;
  /** The identity of the project that the voter saw (R60); left out where the call names none. */
  identity?: number | undefined;
}

/** Result of one vote. Counters are the user's after this vote. */
export interface VoteOutcome {
  decided: VoteDecision;
  totalVotes: number;
  bullish: number;
  bearish: number;
  streak: number;
  balance: number;
  tokensEarned: number;
  /** The most that was earned before an undo reduced it; 0 where this vote does not pass the congratulation. */
  peakEarned: number;
  windowVotes: number;
  windowStartedAt: Date | null;
}

/** Counts of an engine since the start, and its present queue. */
export interface VoteStats {
  /** 'failed': the vote's outcome is unknown; 'busy': the queue was full. */
  outcomes: Map<VoteDecision | 'failed' | 'busy', number>;
  /** How long the database took for each batch. */
  batchSeconds: Distribution;
  /** How many votes each batch held. */
  batchVotes: Distribution;
  queued: number;
  queueLimit: number;
  /** Batches in flight to the database. */
  inFlight: number;
}

/** Counts votes in batches; made by server/voting/votes/engine.ts. */
export interface VoteEngine {
  /**
   * Counts a vote or returns the reason why not. Rejects with 503 when the queue is full or the database does not
   * respond: not counted as far as is known, and safe to send again (a vote that did count responds with 409).
   */
  castVote(vote: Vote): Promise<VoteOutcome>;
  /** Whether a vote that comes now is refused; cheap enough to ask before its body is read. */
  isFull(): boolean;
  stats(): VoteStats;
  /** Takes no further votes and waits for the open ones. */
  close(): Promise<void>;
}

/** The first cards of a user's feed (R11). */
export interface FeedPage {
  /** How many cards the whole feed has. */
  total: number;
  /** The cards as a JSON array. */
  json: Buffer;
  /** Weak; changes with cards, their order, their counters and the total. */
  etag: string;
}

/** Personal feeds; made by server/listings/projects/feed.ts. */
export interface Feed {
  /** The first `limit` (at most 50) cards of a user's feed. Never older than the call as far as the user's own votes are concerned. */
  read(userId: number, limit?: number): Promise<FeedPage>;
}

/** Notes from which networks voters come, as salted hashes; made by server/figures/standing/networks.ts. */
export interface NetworkNotes {
  /** Takes a note; works in memory only. There is no address, and no note, when the voter has hung up. */
  note(userId: number, address: string | undefined): void;
  /** Stores the notes taken so far. */
  flush(): Promise<void>;
  /** Stores what is left and takes no further notes. */
  close(): Promise<void>;
}

/** An event to count (R50). */
export interface ProjectEvent {
  projectId: number;
  kind: EventKind;
  source: EventSource;
}

/** A client of which events are counted. Its browser's name is whatever it says; its address is not. */
export interface Visitor {
  address: string;
  browser: string;
}

/** Counts views, clicks and shares of projects; made by server/figures/insights/event-counter.ts. */
export interface EventCounter {
  /** Counts in memory only, the same visitor once in a few minutes. */
  count(event: ProjectEvent, visitor: Visitor): void;
  /** Stores what was counted so far. */
  flush(): Promise<void>;
  /** Stores what is left and counts nothing further. */
  close(): Promise<void>;
}

export interface JobSchedule {
  name: string;
  intervalMs: number;
}

/** Services of the actions; made once in main.ts (or by a test) and passed on, never global. */
export interface Services {
  config: Config;
  db: Kysely<DB>;
  /**
   * For public reads: a replica, where there is one, else the same as `db`. Up to date either way (db/replica.ts),
   * but only for single statements, each of which may see what the one before did not.
   */
  replica: Kysely<DB>;
  pool: pg.Pool;
  sui: SuiGrpcClient;
  chainStatus: ChainStatusReader;
  /** Calls of the Sui node since the start, by method. */
  chainCalls: ReadonlyMap<string, ChainCalls>;
  votes: VoteEngine;
  /** How long after a vote it can be undone (R46); published figures contain older votes only. */
  undoWindowMs: number;
  networks: NetworkNotes;
  events: EventCounter;
  /** The cache of the database in this process; off until `listenForChanges` keeps it true. */
  cache: Cache;
  /** Personal feeds of projects that each user may vote on next, from memory. */
  feed: Feed;
  /** Names the terms that users agree to (R80). */
  termsVersion: string;
  /** Identifier of the chain the RPC node serves; null while the node could not be asked. */
  chainId: string | null;
  /** All periodic work, to tell which of it is late. */
  jobs: readonly JobSchedule[];
  /** null: OpenTelemetry is off. */
  tracing: Tracing | null;
  /** For what happens outside of a request. */
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
}
