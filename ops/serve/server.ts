import { RELAYED } from '#ops/metrics/gather.ts';
import { type ForkedChild, forkReady, GIVEN_FD, type Handle } from '../process/children.ts';
import type { MetricsRelay } from './metrics-relay.ts';

/**
 * Megabytes of each half of V8's nursery. By default, V8 takes more on a machine with much memory: 290 MB for a server
 * under full load instead of 210, without a gain. With less, objects that live as long as a batch of votes are
 * promoted, and the memory grows again.
 */
const NURSERY_MB = 16;
/**
 * Growth of the old generation until it is collected, in percent of its size after the last collection. By default, V8
 * lets it grow to four times that size: 362 MB instead of 220 with 60 percent, at a steady rate of many votes. This
 * cost half a percent of the processor's time, and no pause was longer than 27 ms.
 */
const HEAP_GROWTH_PERCENT = 50;

/**
 * V8 allocates objects directly in the old generation where most of their kind outlived the nursery, as happens while a
 * server under load warms up, and never reverts that. In about one start of six, such an object of each vote then kept
 * the vote's request and response until the next full collection: twenty of these in four seconds instead of two, twice
 * the processor time, and 17,000 votes per second instead of 26,000.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

export const SERVER_FLAGS = [
  `--max-semi-space-size=${NURSERY_MB}`,
  `--heap-growing-percent=${HEAP_GROWTH_PERCENT}`,
  NO_PRETENURING,
];

interface ServerOptions {
  env: NodeJS.ProcessEnv;
  name?: string;
  args?: string[];
  quiet?: boolean;
  relay?: MetricsRelay;
  listener?: Handle | undefined;
}

export function forkServer({
  name = 'The server',
  args = [],
  relay,
  listener,
  ...options
}: ServerOptions): Promise<ForkedChild> {
  const all = [...args, ...(relay ? [RELAYED] : []), ...(listener ? [`--listen-fd=${GIVEN_FD}`] : [])];
  const extras = { ...(relay ? { onFork: relay.add } : {}), ...(listener ? { handle: listener } : {}) };
  return forkReady({ name, file: 'ops/serve/main.ts', execArgv: SERVER_FLAGS, ...options, args: all, ...extras });
}
