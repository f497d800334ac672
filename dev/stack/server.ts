import { RELAYED } from '#server/metrics/gather.ts';
import { type ForkedChild, forkReady, GIVEN_FD, type Handle } from '../process/children.ts';
import type { MetricsRelay } from './metrics-relay.ts';

/**
 * Megabytes of each half of V8's nursery. Left to itself, V8 takes more on a machine with much memory: 290 MB for a server under full
 * load instead of 210, for no gain. With less, what lives as long as a batch of votes is taken for old, and the memory grows again.
 */
const NURSERY_MB = 16;
/**
 * How much the memory for what lives longer may grow until it is cleaned, in percent of what was left the last time. Left to itself, V8
 * lets it grow to four times as much: 362 MB instead of 220 with 60 percent, where many votes are sent at a steady rate. That took half a
 * percent of the processor's time, and no pause was longer than 27 ms.
 */
const HEAP_GROWTH_PERCENT = 50;

/**
 * V8 puts objects straight into the old generation where most of their kind outlived the nursery, as they do while a server under load
 * still warms up, and never takes that back. In about one start of six such an object of each vote then held the vote's request and
 * response until the next full collection: twenty of these in four seconds instead of two, twice the processor time, and 17,000 votes
 * per second instead of 26,000.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

/** Of the process that runs server/main.ts. */
export const SERVER_FLAGS = [
  `--max-semi-space-size=${NURSERY_MB}`,
  `--heap-growing-percent=${HEAP_GROWTH_PERCENT}`,
  NO_PRETENURING,
];

export interface ServerOptions {
  env: NodeJS.ProcessEnv;
  /** What messages call it. */
  name?: string;
  args?: string[];
  quiet?: boolean;
  /** Its metrics are those of all servers with this relay. */
  relay?: MetricsRelay;
  /** The listening socket of the server that it replaces, in the place of HOST and PORT. */
  listener?: Handle | undefined;
}

/** Starts a server process and waits until it is ready. */
export function forkServer({
  name = 'The server',
  args = [],
  relay,
  listener,
  ...options
}: ServerOptions): Promise<ForkedChild> {
  const all = [...args, ...(relay ? [RELAYED] : []), ...(listener ? [`--listen-fd=${GIVEN_FD}`] : [])];
  const extras = { ...(relay ? { onFork: relay.add } : {}), ...(listener ? { handle: listener } : {}) };
  return forkReady({ name, file: 'server/main.ts', execArgv: SERVER_FLAGS, ...options, args: all, ...extras });
}
