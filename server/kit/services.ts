import type { Kysely } from 'kysely';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import type pg from 'pg';
import type { DB } from '#db/schema.ts';
import type { VoteRejection } from '#shared/voting/vote-rejections.ts';
import type { EventKind, EventSource } from '#shared/listings/events.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Cache } from './cache/cache.ts';
import type { Config } from './config.ts';
import type { Distribution } from './distribution.ts';

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

export interface VoteOutcome {
  decided: VoteDecision;
  totalVotes: number;
  bullish: number;
  bearish: number;
  streak: number;
  balance: number;
  tokensEarned: number;
  /** The most that was earned before an undo reduced it; 0 if this vote does not pass the congratulation. */
  peakEarned: number;
  windowVotes: number;
  windowStartedAt: Date | null;
}

export interface VoteStats {
  /** 'failed': the vote's outcome is unknown; 'busy': the queue was full. */
  outcomes: Map<VoteDecision | 'failed' | 'busy', number>;
  batchSeconds: Distribution;
  batchVotes: Distribution;
  queued: number;
  queueLimit: number;
  inFlight: number;
}

export interface VoteEngine {
  /**
   * Counts a vote or returns the reason why not. Rejects with 503 when the queue is full or the database does not
   * respond: not counted as far as is known, and safe to send again (a vote that did count responds with 409).
   */
  castVote(vote: Vote): Promise<VoteOutcome>;
  /** Cheap enough to ask before the body of a vote is read. */
  isFull(): boolean;
  stats(): VoteStats;
  close(): Promise<void>;
}

export interface FeedPage {
  total: number;
  json: Buffer;
  /** A weak tag that changes with cards, their order, their counters and the total. */
  etag: string;
}

export interface Feed {
  /** The first `limit` (at most 50) cards of a user's feed. Never older than the call as far as the user's own votes are concerned. */
  read(userId: number, limit?: number): Promise<FeedPage>;
}

/** Notes from which networks voters come, as salted hashes; made by server/figures/standing/networks.ts. */
export interface NetworkNotes {
  /** Takes a note; works in memory only. There is no address, and no note, when the voter has hung up. */
  note(userId: number, address: string | undefined): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface ProjectEvent {
  projectId: number;
  kind: EventKind;
  source: EventSource;
}

/** A client whose events are counted. Its browser name can be made up; its address cannot. */
export interface Visitor {
  address: string;
  browser: string;
}

/** Counts views, clicks and shares of projects; made by server/figures/insights/event-counter.ts. */
export interface EventCounter {
  count(event: ProjectEvent, visitor: Visitor): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface ChainStatus {
  /** other: the node serves another chain than before (R68) · unknown: it has neither responded nor failed yet. */
  state: 'up' | 'other' | 'down' | 'unknown';
  /** Age of the node's newest checkpoint by this machine's clock; null while unknown. */
  behindMs: number | null;
}

export interface ChainStatusReader {
  /** Status of the last ten seconds. A node that hangs delays the caller by half a second at most. */
  read(): Promise<ChainStatus>;
}

/** Calls of one method of the node, counted by server/chain/sui-client.ts. */
export interface ChainCalls {
  outcomes: Map<string, number>;
  seconds: Distribution;
}

export interface JobSchedule {
  name: string;
  intervalMs: number;
  /** Whether a server has the settings that the job needs. One without them neither runs the job nor reports it as late. */
  isSetUp?: (config: Config) => boolean;
}

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
  /** Why the database takes no writes; null if it does, or before the first probe. As of the last 30 seconds. */
  writeObstacle: () => Promise<string | null>;
  chainCalls: ReadonlyMap<string, ChainCalls>;
  votes: VoteEngine;
  /** The server takes an undo for this long (R46); published figures contain older votes only. */
  undoWindowMs: number;
  networks: NetworkNotes;
  events: EventCounter;
  cache: Cache;
  feed: Feed;
  termsVersion: string;
  /** Identifier of the chain the RPC node serves; null while the node could not be asked. */
  chainId: string | null;
  jobs: readonly JobSchedule[];
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
}
