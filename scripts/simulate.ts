/** `npm run simulate [-- options]` (`-- --help` lists them): the cost of attacks (docs/use/standing.md). */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readOptions } from '#ops/process/options.ts';
import { ROOT } from '#ops/process/report.ts';
import { simulate } from '#lab/simulation/run.ts';
import { CROWD } from '#lab/simulation/world.ts';
import { startDatabase } from '#lab/stack.ts';
import { isWorld, jsonOf, lieCostOf, markdownOf, patienceText, type SimulatedTable } from '#lab/simulation/results.ts';

const { values } = readOptions('npm run simulate -- [options]', {
  json: { type: 'boolean', says: 'prints the tables as JSON' },
  of: { type: 'string', says: 'demo, crowd, or both with a comma between them' },
  seed: { type: 'string', says: 'the seed of what is left to chance (1)' },
  voters: { type: 'string', says: `wallets of the crowd (${CROWD.voters})` },
  projects: { type: 'string', says: `projects of the crowd (${CROWD.projects})` },
  write: { type: 'boolean', says: 'writes the tables to lab/simulation/results.json, and the figures of /trust' },
});
const DATA = path.join(ROOT, 'lab/simulation/results.json');
const LIE_COST = path.join(ROOT, 'shared/figures/lie-cost.json');

function numberOf(name: 'seed' | 'voters' | 'projects', otherwise: number): number {
  const number = Number(values[name] ?? otherwise);
  if (!Number.isSafeInteger(number) || number < 1 || number > 1_000_000)
    throw new Error(`--${name} has to be a whole number from 1 to 1000000.`);
  return number;
}

function showProgress(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K  ${text}` : `  ${text}\n`);
}

await runWithLifecycle(async (lifecycle) => {
  const options = {
    seed: numberOf('seed', 1),
    voters: numberOf('voters', CROWD.voters),
    projects: numberOf('projects', CROWD.projects),
  };
  const tables: SimulatedTable[] = [];
  for (const world of (values.of ?? 'demo,crowd').split(',')) {
    if (!isWorld(world)) throw new Error(`--of is demo, crowd, or both with a comma between them, not "${world}".`);
    const startedAtMs = performance.now();
    const { url } = await startDatabase(lifecycle, { durable: false });
    const spent = (): string => `${Math.round((performance.now() - startedAtMs) / 1000)} s`;
    const table = await simulate(url, {
      world,
      ...options,
      onProgress: (text) => showProgress(`${world}: ${text}, ${spent()}`),
    });
    const megabytes = Math.round(process.resourceUsage().maxRSS / 1000);
    showProgress(`${world}: done in ${spent()}, with ${megabytes} MB of memory beside PostgreSQL's\n`);
    tables.push(table);
    if (values.json !== true) console.log(`${markdownOf(table)}\n`);
  }
  if (values.json === true) process.stdout.write(jsonOf(tables));
  else console.log(`${patienceText(tables)}\n`);
  if (values.write === true) {
    const before = JSON.parse(await readFile(DATA, 'utf8')) as SimulatedTable[];
    const all = before.filter(({ world }) => !tables.some((table) => table.world === world)).concat(tables);
    const written = all.toSorted((one, other) => Number(one.world === 'crowd') - Number(other.world === 'crowd'));
    await writeFile(DATA, jsonOf(written));
    await writeFile(LIE_COST, `${JSON.stringify(lieCostOf(written), null, 2)}\n`);
  }
  await lifecycle.end(0);
});
