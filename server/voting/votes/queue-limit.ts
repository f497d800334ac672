/** Number of votes that may wait: as many as the database decides within the longest wait. */
interface QueueLimit {
  votes(): number;
  finished(size: number, sentAtMs: number, atMs: number): void;
}

interface QueueLimitOptions {
  maxBatch: number;
  maxQueue: number;
  maxWaitMs: number;
}

/** Weight of the newest batch (EWMA). */
const WEIGHT = 0.1;
/** Batches that always fit: with fewer waiting, the database would have to wait for the server. */
const LEAST_BATCHES = 4;
/** One batch counts as this many votes' worth of delay at most: a stall of seconds is over when it ends. */
const LONGEST_SAMPLE_MS = 1_000;

/**
 * A queue bounded by waiting time. A fixed length is a tenth of a second on a fast database and many seconds on a slow
 * one; this limit follows the pace at which full batches are decided. Small batches are ignored: nothing was waiting.
 */
export function createQueueLimit({ maxBatch, maxQueue, maxWaitMs }: QueueLimitOptions): QueueLimit {
  const least = Math.min(maxQueue, LEAST_BATCHES * maxBatch);
  let votes = maxQueue;
  let msPerVote = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    votes: () => votes,
    finished(size, sentAtMs, atMs) {
      const tookMs = Math.min(LONGEST_SAMPLE_MS, atMs - Math.max(lastMs, sentAtMs));
      lastMs = atMs;
      if (size < maxBatch / 2) return;
      const sample = tookMs / size;
      msPerVote = msPerVote === 0 ? sample : msPerVote + WEIGHT * (sample - msPerVote);
      votes = Math.round(Math.max(least, Math.min(maxQueue, maxWaitMs / msPerVote)));
    },
  };
}
