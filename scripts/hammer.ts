/** `npm run hammer [-- options]` (`-- --help` lists them): machines fail while users vote and pay; docs/build/hammer.md. */
import { writeFile } from 'node:fs/promises';
import { runPayouts } from '#lab/load/payouts.ts';
import { runFailures } from '#lab/load/run-failures.ts';
import { type Lifecycle, runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readOptions } from '#ops/process/options.ts';

const { values } = readOptions('npm run hammer -- [options]', {
  seconds: { type: 'string', says: 'length of each failure (1)' },
  failure: { type: 'string', says: 'parts of the names of the failures that are meant, with commas between them' },
  payouts: {
    type: 'string',
    says: 'pays so many withdrawals by key during failures instead, such as 80; takes minutes',
  },
  report: { type: 'string', says: 'writes {passed, failed, skipped} to this file' },
});
const counts = { passed: 0, failed: 0, skipped: 0 };
const count = (isGood: boolean): void => void (counts[isGood ? 'passed' : 'failed'] += 1);

async function fail(lifecycle: Lifecycle): Promise<void> {
  const only = values.failure?.split(',');
  const result = await runFailures(lifecycle, { seconds: Number(values.seconds ?? 1), only, log: console.log });
  for (const { name, lacks } of result.leftOut) console.log(`- ${name}: left out, ${lacks}`);
  for (const problem of result.problems) console.log(`✗ ${problem}`);
  console.log(`${result.votes} votes were counted, and ${result.payments} payments were given to a server`);
  counts.skipped += result.leftOut.length;
  for (const { problems } of result.results) count(problems.length === 0);
  count(result.problems.length === 0);
}

async function pay(lifecycle: Lifecycle, withdrawals: number): Promise<void> {
  const result = await runPayouts(lifecycle, { withdrawals, log: console.log });
  console.log(result);
  count(result.doubled + result.lost + result.unknown === 0 && result.paid === result.withdrawals);
  // A restore that took no payout out of the books has proven nothing.
  count(result.forgotten > 0);
}

await runWithLifecycle(async (lifecycle) => {
  if (values.payouts === undefined) await fail(lifecycle);
  else await pay(lifecycle, Number(values.payouts));
  if (values.report !== undefined) await writeFile(values.report, JSON.stringify(counts));
  await lifecycle.end(counts.failed === 0 ? 0 : 1);
});
