/**
 * Votes go to the database in batches. Votes that arrive while a batch is in flight form the next one: one call of
 * `cast_votes`, one commit. No timer waits, so a lone vote costs a single call. A second batch starts next to the first
 * only when it is at least half full; a batch has 128 votes at most.
 *
 * A batch has one outcome per vote. A user's second vote in a batch gets `send_again` and goes first in the next one.
 * When the data of one vote causes an error, the engine sends the batch again vote by vote. A vote whose outcome is
 * unknown responds with 503 and may be sent again: the key of votes makes it count once.
 */
import type pg from 'pg';
import { boolArray, byteaArray, int8Array } from '#db/binary-arrays.ts';
import { prepared, timed } from '#db/client.ts';
import { STATEMENT_TIMEOUT_MS } from '#db/session-settings.ts';
import { CONGRATULATION_TOKENS, VOTES_PER_WINDOW, VOTE_REWARD_TOKENS, VOTE_WINDOW_HOURS } from '#shared/constants.ts';
import { countUp, createDistribution, observe } from '#server/kit/distribution.ts';
import { busy, unavailable } from '#server/kit/http/errors.ts';
import type { Vote, VoteDecision, VoteEngine, VoteOutcome, VoteStats } from '#server/kit/services.ts';
import { createQueueLimit } from './queue-limit.ts';

export interface EngineOptions {
  maxInFlight?: number;
  maxBatch?: number;
  /** Maximum number of waiting votes, at any pace; above it 503. */
  maxQueue?: number;
  /** Maximum wait at the present pace; a longer queue rejects with 503. */
  maxWaitMs?: number;
  silenceMs?: number;
  now?: () => number;
  /** Receives the reason; voters only learn that the vote was not counted. */
  onError?: (error: unknown) => void;
}

interface Waiting {
  vote: Vote;
  rounds: number;
  resolve: (outcome: VoteOutcome) => void;
  reject: (error: unknown) => void;
}

const PEAK_EARNED = `CASE WHEN tokens_earned >= $7::bigint AND tokens_earned - ${VOTE_REWARD_TOKENS} < $7::bigint
  THEN (SELECT u.peak_earned FROM user_stats u WHERE u.user_id = ($2::bigint[])[ord]) END`;

/** Two arrays are less to write and read than rows and columns. */
const CAST_VOTES = `SELECT array_agg(outcome)::text AS outcomes,
  array_agg(ARRAY[ord, coalesce(total_votes, 0), coalesce(bullish, 0), coalesce(streak, 0),
    coalesce(balance, 0), coalesce(tokens_earned, 0), coalesce(window_votes, 0),
    coalesce(floor(date_part('epoch', window_started_at) * 1000)::bigint, 0), coalesce(${PEAK_EARNED}, 0)])::text AS rows
  FROM cast_votes($1::bytea[], $2::bigint[], $3::bigint[], $4::boolean[], $5::int, $6::int * interval '1 hour', $8::bigint[])`;

type Row = [
  ord: number,
  totalVotes: number,
  bullish: number,
  streak: number,
  balance: number,
  tokensEarned: number,
  windowVotes: number,
  windowStartedAtMs: number,
  peakEarned: number,
];

const AGAIN = 'send_again';

type Decision = VoteOutcome | Error | typeof AGAIN;

/** '{{1,7},{2,9}}' */
const parseRows = (text: string): Row[] => JSON.parse(text.replaceAll('{', '[').replaceAll('}', ']')) as Row[];

const parseOutcomes = (text: string) => text.slice(1, -1).split(',') as Array<VoteDecision | typeof AGAIN>;

const SILENCE_MS = STATEMENT_TIMEOUT_MS + 2_000;

async function send(pool: pg.Pool, batch: Waiting[], silenceMs: number): Promise<Decision[]> {
  const values = [
    byteaArray(batch.map(({ vote }) => vote.tokenHash)),
    int8Array(batch.map(({ vote }) => vote.userId)),
    int8Array(batch.map(({ vote }) => vote.projectId)),
    boolArray(batch.map(({ vote }) => vote.bullish)),
    VOTES_PER_WINDOW,
    VOTE_WINDOW_HOURS,
    CONGRATULATION_TOKENS,
    int8Array(batch.map(({ vote }) => vote.identity ?? 0)),
  ];
  const query = prepared(pool, 'cast_votes', timed(CAST_VOTES, values, silenceMs));
  const { rows } = await pool.query<{ outcomes: string; rows: string }>(query);
  const decisions: Decision[] = batch.map(() => AGAIN);
  const outcomes = parseOutcomes(rows[0]?.outcomes ?? '{}');
  for (const [index, row] of parseRows(rows[0]?.rows ?? '{}').entries()) {
    const decided = outcomes[index] ?? AGAIN;
    const [ord, totalVotes, bullish, streak, balance, tokensEarned, windowVotes, windowStartedAtMs, peakEarned] = row;
    if (decided === AGAIN) continue;
    decisions[ord - 1] = {
      decided,
      totalVotes,
      bullish,
      bearish: totalVotes - bullish,
      streak,
      balance,
      tokensEarned,
      peakEarned,
      windowVotes,
      windowStartedAt: windowStartedAtMs === 0 ? null : new Date(windowStartedAtMs),
    };
  }
  return decisions;
}

const RETRYABLE = new Set(['40001', '40P01', '23505']);
const isRetryable = (error: unknown): boolean => RETRYABLE.has((error as { code?: string }).code ?? '');
/** SQLSTATE classes 22 and 23, which one vote of the batch causes. */
const isDataError = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');

/** Votes that would wait longer are rejected, so that the others are served fast. */
const MAX_WAIT_MS = 250;

const FAILED = (): Error => unavailable('vote_failed', 'The vote could not be counted. Please try again.');

export function createVoteEngine(pool: pg.Pool, options: EngineOptions = {}): VoteEngine {
  const { maxInFlight = 3, maxBatch = 128, maxQueue = 5000, silenceMs = SILENCE_MS, onError } = options;
  const queueLimit = createQueueLimit({ maxBatch, maxQueue, maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS });
  const now = options.now ?? (() => performance.now());
  /** Each round decides one vote of a user. */
  const maxRounds = 2 * maxBatch;
  let queue: Waiting[] = [];
  let inFlight = 0;
  let closed = false;
  let armed = false;
  let onIdle: (() => void) | null = null;
  const isFull = (): boolean => queue.length >= queueLimit.votes();
  const stats: Pick<VoteStats, 'outcomes' | 'batchSeconds' | 'batchVotes'> = {
    outcomes: new Map(),
    batchSeconds: createDistribution(),
    batchVotes: createDistribution([1, 2, 4, 8, 16, 32, 64, 128]),
  };

  async function count(batch: Waiting[], attemptsLeft = 3): Promise<Decision[]> {
    try {
      return await send(pool, batch, silenceMs);
    } catch (error) {
      if (isRetryable(error) && attemptsLeft > 0) return count(batch, attemptsLeft - 1);
      // One bad vote must not fail the others.
      if (!isDataError(error) || batch.length === 1) {
        onError?.(error);
        return batch.map(FAILED);
      }
      const decisions: Decision[] = [];
      for (const waiting of batch) decisions.push(...(await count([waiting])));
      return decisions;
    }
  }

  async function dispatch(batch: Waiting[]): Promise<void> {
    const sentAtMs = now();
    const decisions = await count(batch);
    inFlight -= 1;
    const finishedAtMs = now();
    queueLimit.finished(batch.length, sentAtMs, finishedAtMs);
    observe(stats.batchSeconds, (finishedAtMs - sentAtMs) / 1_000);
    observe(stats.batchVotes, batch.length);
    const again: Waiting[] = [];
    const responses = batch.map((waiting, index) => {
      const decision = decisions[index] ?? AGAIN;
      if (decision !== AGAIN) return decision;
      if (waiting.rounds >= maxRounds) return FAILED();
      again.push(waiting);
      return AGAIN;
    });
    if (again.length > 0) queue = [...again, ...queue];
    // The database works on the next batch while these responses are written.
    pump();
    batch.forEach(({ resolve, reject }, index) => {
      const response = responses[index] ?? AGAIN;
      if (response === AGAIN) return;
      countUp(stats.outcomes, response instanceof Error ? 'failed' : response.decided);
      if (response instanceof Error) reject(response);
      else resolve(response);
    });
    if (queue.length === 0 && inFlight === 0) onIdle?.();
  }

  const isWorthwhile = (): boolean => inFlight === 0 || (inFlight < maxInFlight && queue.length >= maxBatch / 2);

  function pump(): void {
    armed = false;
    while (queue.length > 0 && isWorthwhile()) {
      const batch = queue.length > maxBatch ? queue.splice(0, maxBatch) : queue;
      if (batch === queue) queue = [];
      for (const waiting of batch) waiting.rounds += 1;
      inFlight += 1;
      void dispatch(batch);
    }
  }

  return {
    castVote(vote) {
      if (closed) return Promise.reject(busy('shutting_down', 'The server is restarting. Please try again.', 2));
      if (isFull()) {
        countUp(stats.outcomes, 'busy');
        return Promise.reject(busy('busy', 'Too many votes at once. Please try again.', 1));
      }
      return new Promise((resolve, reject) => {
        queue.push({ vote, rounds: 0, resolve, reject });
        if (!armed && isWorthwhile()) {
          armed = true;
          // Requests read in this turn of the event loop share a batch.
          setImmediate(pump);
        }
      });
    },
    isFull,
    stats: () => ({ ...stats, queued: queue.length, queueLimit: queueLimit.votes(), inFlight }),
    close() {
      closed = true;
      if (queue.length === 0 && inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onIdle = resolve;
      });
    },
  };
}
