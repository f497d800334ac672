/**
 * `npm run hammer [-- --quick] [--only fuzz,attacks] [--requests N] [--seed N]`: hostile clients and failing machines against two server
 * processes while honest people vote and pay; docs/hammer.md. Loopback only, everything it starts ends with it.
 */
import { parseArgs } from 'node:util';
import { runFuzz } from '../hammer/fuzz.ts';
import { runWithLifecycle } from './lib/lifecycle.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    requests: { type: 'string' },
    seed: { type: 'string' },
  },
});

await runWithLifecycle(async (lifecycle) => {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const requests = Number(values.requests ?? (values.quick === true ? 4_000 : 50_000));
  console.log(`Contract fuzz: ${requests} requests, seed ${seed}`);
  const result = await runFuzz(lifecycle, { requests, seed, tell: console.log });
  const statuses = [...result.statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(
    `  ${statuses.join(', ')}; slowest ${Math.round(result.slowestMs)} ms, ${Math.round(result.peakMemoryMb)} MB`,
  );
  for (const offence of result.offences) console.log(`✗ ${offence}`);
  console.log(`${result.offenceCount} offences; ${result.reached.size} endpoints accepted something`);
  await lifecycle.end(result.offenceCount === 0 ? 0 : 1);
});
