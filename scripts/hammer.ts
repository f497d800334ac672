/**
 * `npm run hammer [-- options]` (`-- --help` lists them): hostile clients and failing machines against two server processes while honest people
 * vote and pay; docs/build/hammer.md. Loopback only, everything it starts ends with it.
 */
import { writeFile } from 'node:fs/promises';
import { runFuzz } from '#lab/hammer/fuzz.ts';
import { runPayouts } from '#lab/hammer/payouts.ts';
import { missesOf, printFuzz, printStorage, printStorm } from '#lab/hammer/report.ts';
import { runStorage } from '#lab/hammer/storage.ts';
import { FULL, QUICK, runStorm, UNTIMED } from '#lab/hammer/storm.ts';
import { buildPage, isPageBuilt } from '#ops/page/build-page.ts';
import { type Lifecycle, runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readOptions } from '#ops/process/options.ts';
import { step } from '#ops/process/report.ts';

const { values } = readOptions('npm run hammer -- [options]', {
  quick: { type: 'boolean', says: 'two minutes and 4,000 requests instead of ten and 50,000' },
  untimed: { type: 'boolean', says: 'sets no limits on waits and memory, for machines that are busy with other tests' },
  only: { type: 'string', says: 'attacks, storage, fuzz or payouts' },
  attack: { type: 'string', says: 'parts of the names of the attacks that are meant, with commas between them' },
  requests: { type: 'string', says: 'how many requests the fuzz sends' },
  seed: { type: 'string', says: 'the seed of the fuzz' },
  report: { type: 'string', says: 'writes {passed, failed, skipped} to this file' },
});
const isQuick = values.quick === true;
const counts = { passed: 0, failed: 0, skipped: 0 };
const count = (isGood: boolean): void => void (counts[isGood ? 'passed' : 'failed'] += 1);

async function attack(lifecycle: Lifecycle): Promise<void> {
  const isTimed = values.untimed !== true;
  console.log('Attacks and failures');
  const pace = isTimed ? (isQuick ? QUICK : FULL) : UNTIMED;
  const result = await runStorm(lifecycle, { pace, log: console.log, only: values.attack?.split(',') });
  printStorm(result, isTimed);
  counts.skipped += result.leftOut.length;
  for (const line of result.lines) count(missesOf(line, isTimed).length === 0);
  count(result.broken.length === 0);
}

async function store(lifecycle: Lifecycle): Promise<void> {
  console.log('\nWhat one wallet without SUI can store');
  const result = await runStorage(lifecycle, console.log);
  printStorage(result);
  count(result.misses.length === 0);
}

async function fuzz(lifecycle: Lifecycle): Promise<void> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const requests = Number(values.requests ?? (isQuick ? 4_000 : 50_000));
  console.log(`\nContract fuzz: ${requests} requests, seed ${seed}`);
  const result = await runFuzz(lifecycle, { requests, seed, log: console.log });
  printFuzz(result);
  count(result.offenceCount === 0);
}

async function pay(lifecycle: Lifecycle): Promise<void> {
  console.log('\nPayouts by key with kills, restores and a chain that goes away');
  const size = isQuick ? { withdrawals: 80, perWave: 10 } : { withdrawals: 300, perWave: 20 };
  const result = await runPayouts(lifecycle, { ...size, log: console.log });
  console.log(result);
  count(result.doubled + result.lost + result.unknown === 0 && result.paid === result.withdrawals);
  // A restore that took nothing out of the books has shown nothing.
  count(result.forgotten > 0);
}

const PARTS: Record<string, (lifecycle: Lifecycle) => Promise<void>> = { attacks: attack, storage: store, fuzz };
/** Takes minutes, most of which it waits: only when asked for. */
const MORE_PARTS: typeof PARTS = { payouts: pay };

await runWithLifecycle(async (lifecycle) => {
  // Without it, public pages are 404, and nothing is attacked.
  if (!(await isPageBuilt())) await step('Web page built', buildPage);
  for (const name of values.only?.split(',') ?? Object.keys(PARTS)) {
    const part = PARTS[name] ?? MORE_PARTS[name];
    if (part === undefined)
      throw new Error(`There is no part "${name}". Parts: ${Object.keys({ ...PARTS, ...MORE_PARTS }).join(', ')}.`);
    await part(lifecycle);
  }
  if (values.report !== undefined) await writeFile(values.report, JSON.stringify(counts));
  await lifecycle.end(counts.failed === 0 ? 0 : 1);
});
