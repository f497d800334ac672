/**
 * `npm run mutants [-- options]` (`-- --help` lists them): plants small faults into a copy of the project, one at a time, and looks whether a test notices;
 * by default into what this branch has changed. docs/recipes.md.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Lifecycle, runWithLifecycle } from '#dev/process/lifecycle.ts';
import { OPTIONS } from '#dev/mutants/options.ts';
import { readOptions } from '#dev/process/options.ts';
import { choose, printResults, readSources, type Choice } from '#dev/mutants/choose.ts';
import { startCluster } from '#dev/mutants/database.ts';
import { type Fault, faultsOf } from '#dev/mutants/faults.ts';
import { CleanRuns } from '#dev/mutants/measure.ts';
import { type Depth, Planter } from '#dev/mutants/plant.ts';
import {
  ACCEPTED_FILE,
  openSurvivors,
  parseAccepted,
  readReport,
  record,
  type Report,
  type Result,
  writeReport,
} from '#dev/mutants/results.ts';
import { Tester } from '#dev/mutants/tester.ts';
import { createTestMap } from '#dev/mutants/test-map.ts';
import { copyTree, listFiles, type Tree } from '#dev/mutants/tree.ts';
import { askTypes } from '#dev/mutants/types.ts';
import { ROOT, step } from '#dev/process/report.ts';

const { values } = readOptions('npm run mutants -- [options]', OPTIONS);
const isResumed = values.resume === true || values.again === true;
const depth: Depth = values.units === true ? 'units' : values.quick === true ? 'quick' : 'all';
const seed = Number(values.seed ?? 1);
const choice: Choice = {
  subjects: values.subject ?? [],
  files: values.file ?? [],
  base:
    values.all === true || values.subject !== undefined || values.file !== undefined ? null : (values.base ?? 'main'),
  size: Number(values.sample ?? Number.POSITIVE_INFINITY),
  seed,
};

async function openReport(): Promise<Report> {
  const known = values.report !== undefined && isResumed ? await readReport(values.report) : null;
  return known ?? { seed, tree: '', results: [] };
}

/** What a component test waits for appears at once, or with a fault in place never. */
const SCREEN_WAIT_MS = '3000';

type Modules = Array<[file: string, text: string]>;

async function startPlanter(
  lifecycle: Lifecycle,
  tree: Tree,
  modules: Modules,
): Promise<(fault: Fault) => Promise<Result>> {
  const database = await lifecycle.own(step('PostgreSQL', startCluster));
  const tester = new Tester(tree.folder, {
    TEST_DATABASE_URL: database.url,
    TMPDIR: tree.tmp,
    VITE_SCREEN_WAIT_MS: SCREEN_WAIT_MS,
  });
  await lifecycle.own(Promise.resolve({ stop: () => tester.stop() }));
  const units = new Set((await tester.tests()).flatMap(({ file, isUnit }) => (isUnit ? file : [])));
  const file = path.join(ROOT, `.cache/mutants/${tree.hash}.json`);
  const clean = new CleanRuns({ tester, log: console.log, file });
  await clean.read();
  const map = createTestMap(modules, (test) => units.has(test));
  const planter = new Planter({ tree, tester, clean, map, sources: new Map(modules), depth });
  return async (fault) => {
    const result = await planter.plant(fault);
    if (result.state !== 'survived') await database.clean(tester.isStopped);
    return result;
  };
}

async function plantAll(lifecycle: Lifecycle, report: Report): Promise<void> {
  const startedAtMs = performance.now();
  const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY);
  const isOver = (): boolean => performance.now() - startedAtMs > minutes * 60_000;
  const files = await listFiles();
  const modules = await readSources(files);
  const tree = await lifecycle.own(copyTree(files).then((copy) => ({ ...copy, stop: copy.remove })));
  const done = new Set(report.results.map(({ id }) => id));
  const isAgain = values.again === true;
  const chosen = isAgain ? openSurvivors(report, faultsOf(modules), tree.hash) : await choose(modules, choice);
  const faults = isAgain ? chosen : chosen.filter(({ id }) => !done.has(id));
  console.log(`${faults.length} faults${done.size > 0 ? ` beside ${done.size} of before` : ''}, seed ${seed}`);
  report.tree = tree.hash;
  const plant = faults.length === 0 ? null : await startPlanter(lifecycle, tree, modules);
  for (const [index, fault] of faults.entries()) {
    if (plant === null) break;
    if (isOver()) return console.log(`${faults.length - index} faults are left for another run`);
    const result = await plant(fault);
    if (depth === 'units' && result.state === 'unreached') continue;
    record(report, depth === 'all' ? { ...result, tree: tree.hash } : result);
    print(result);
    if (values.report !== undefined) await writeReport(values.report, report);
  }
  if (values.types === true) await askTypes(report.results, faultsOf(modules), new Map(modules), tree);
}

function print({ state, file, line, operator, before, after, seconds, by }: Result): void {
  const mark = { noticed: '✓', late: '✓', survived: '✗', invalid: '-', unreached: '-' }[state];
  console.log(`${mark} ${state} ${file}:${line} [${operator}] ${seconds} s ${by}`);
  if (state === 'survived') console.log(`    - ${before}\n    + ${after}`);
}

await runWithLifecycle(async (lifecycle) => {
  const accepted = parseAccepted(await readFile(ACCEPTED_FILE, 'utf8'));
  const report = await openReport();
  await plantAll(lifecycle, report);
  if (values.report !== undefined) await writeReport(values.report, report);
  printResults(report.results, accepted);
  await lifecycle.end(0);
});
