/**
 * `npm run hammer [-- --quick] [--only fuzz|attacks] [--attack names] [--requests N] [--seed N] [--report file]`: hostile clients and failing machines
 * against two server processes while honest people vote and pay; docs/hammer.md. Loopback only, everything it starts ends with it.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runFuzz } from '../hammer/fuzz.ts';
import { missesOf, printFuzz, printStorm } from '../hammer/report.ts';
import { FULL, QUICK, runStorm, UNTIMED } from '../hammer/storm.ts';
import { buildPage, isPageBuilt } from '#dev/page/build-page.ts';
import { type Lifecycle, runWithLifecycle } from '#dev/process/lifecycle.ts';
import { step } from '#dev/process/report.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    /** Sets no limits on waits and memory, for machines that are busy with other tests. */
    untimed: { type: 'boolean' },
    only: { type: 'string' },
    /** Parts of the names of those that are meant, with commas between them. */
    attack: { type: 'string' },
    requests: { type: 'string' },
    seed: { type: 'string' },
    /** Writes {passed, failed} there. */
    report: { type: 'string' },
  },
});
const isQuick = values.quick === true;
const counts = { passed: 0, failed: 0 };
const count = (isGood: boolean): void => void (counts[isGood ? 'passed' : 'failed'] += 1);

async function attack(lifecycle: Lifecycle): Promise<void> {
  const isTimed = values.untimed !== true;
  console.log('Attacks and failures');
  const pace = isTimed ? (isQuick ? QUICK : FULL) : UNTIMED;
  const result = await runStorm(lifecycle, { pace, log: console.log, only: values.attack?.split(',') });
  printStorm(result, isTimed);
  for (const line of result.lines) count(missesOf(line, isTimed).length === 0);
  count(result.broken.length === 0);
}

async function fuzz(lifecycle: Lifecycle): Promise<void> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const requests = Number(values.requests ?? (isQuick ? 4_000 : 50_000));
  console.log(`\nContract fuzz: ${requests} requests, seed ${seed}`);
  const result = await runFuzz(lifecycle, { requests, seed, log: console.log });
  printFuzz(result);
  count(result.offenceCount === 0);
}

const PARTS: Record<string, (lifecycle: Lifecycle) => Promise<void>> = { attacks: attack, fuzz };

await runWithLifecycle(async (lifecycle) => {
  // Without it, public pages are 404, and nothing is attacked.
  if (!(await isPageBuilt())) await step('Web page built', buildPage);
  for (const name of values.only?.split(',') ?? Object.keys(PARTS)) {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`There is no part "${name}". Parts: ${Object.keys(PARTS).join(', ')}.`);
    await part(lifecycle);
  }
  if (values.report !== undefined) await writeFile(values.report, JSON.stringify(counts));
  await lifecycle.end(counts.failed === 0 ? 0 : 1);
});
