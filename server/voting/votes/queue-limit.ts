interface QueueLimit {
  votes(): number;
  finished(size: number, sentAtMs: number, atMs: number): void;
}

interface QueueLimitOptions {
  maxBatch: number;
  maxQueue: number;
  maxWaitMs: number;
}

const WEIGHT = 0.1;
/** Least batches that may wait: with fewer, the database would wait for the server. */
const LEAST_BATCHES = 4;
/** A stall of seconds must not shorten the queue after it. */
const LONGEST_SAMPLE_MS = 1_000;

/**
 * A queue bounded by waiting time, at the pace of full batches: a fixed length is a tenth of a second on a fast database and many seconds on a
 * slow one.
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
