/** `npm run bench [-- options]` (`-- --help` lists them): votes a second, or costs while votes grow. Needs quiet Linux. */
import { growth } from '#lab/load/growth.ts';
import { isMet, table } from '#lab/load/report.ts';
import { votes } from '#lab/load/votes.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readOptions } from '#ops/process/options.ts';

const { values } = readOptions('npm run bench -- [options]', {
  against: { type: 'string', says: 'folder of another commit, with its packages, which takes turns with this one' },
  turns: { type: 'string', says: 'turns of each commit (6)' },
  seconds: { type: 'string', says: 'length of a turn (5)' },
  sizes: { type: 'string', says: 'measures growth between two numbers of votes instead, such as 1000000,10000000' },
  json: { type: 'boolean', says: 'prints the figures as JSON' },
});
// The table, or the JSON, goes to stdout; progress goes to stderr.
if (values.json === true) console.log = console.error;

await runWithLifecycle(async (lifecycle) => {
  const { turns = 6, seconds = 5, against, sizes } = values;
  const findings =
    sizes === undefined
      ? await votes(lifecycle, { turns: Number(turns), seconds: Number(seconds), against })
      : await growth(lifecycle, sizes.split(',').map(Number));
  if (values.json === true) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else console.log(`\n${table(findings)}`);
  await lifecycle.end(findings.every(isMet) ? 0 : 1);
});
