/**
 * `npm run bench [-- --quick] [--only votes,flush,...] [--json]`: the vote path and the polled reads against references, as ratios of one
 * run on this machine, on a durable database of its own. Needs a quiet machine, and Debian's pgbench and wrk (installed if need be).
 */
import { PARTS } from '#lab/bench/parts.ts';
import { type Finding, isMet, table } from '#lab/bench/report.ts';
import { FULL, QUICK } from '#lab/bench/suite.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { installDebianPackage } from '#ops/install/machine-packages.ts';
import { readOptions } from '#ops/process/options.ts';
import { run } from '#ops/process/programs.ts';
import { findSystemPostgres } from '#ops/install/system-postgres.ts';

const { values } = readOptions('npm run bench -- [options]', {
  quick: { type: 'boolean', says: 'shorter and less exact' },
  only: { type: 'string', says: `parts, with commas between them: ${Object.keys(PARTS).join(', ')}` },
  votes: { type: 'string', says: 'two sizes for the part growth: 1000000,10000000 without it' },
  json: { type: 'boolean', says: 'prints the figures as JSON' },
});
const votes = values.votes?.split(',').map(Number);
const names = values.only?.split(',') ?? Object.keys(PARTS).filter((name) => !PARTS[name]?.isLong);
// Prints the table, or the JSON, to stdout; progress goes to stderr.
if (values.json === true) console.log = console.error;

await runWithLifecycle(async (lifecycle) => {
  const unknown = names.find((name) => PARTS[name] === undefined);
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". Parts: ${Object.keys(PARTS).join(', ')}.`);
  const postgres = await findSystemPostgres();
  if ('problem' in postgres)
    throw new Error(`pgbench is needed, from Debian's package postgresql: ${postgres.problem}`);
  if ((await run('wrk', ['-v'])).code === 127) {
    const problem = await installDebianPackage('wrk');
    if (problem !== null) throw new Error(`wrk is needed, from Debian's package of that name: ${problem}`);
  }
  const findings: Finding[] = [];
  for (const name of names) {
    const part = PARTS[name];
    if (part === undefined) continue;
    console.log(`\n${part.title}`);
    const quick = values.quick === true;
    const pace = quick ? QUICK : FULL;
    findings.push(...(await part.work({ lifecycle, binDir: postgres.binDir, pace, quick, votes })));
  }
  if (values.json === true) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else console.log(`\n${table(findings)}`);
  await lifecycle.end(findings.every(isMet) ? 0 : 1);
});
