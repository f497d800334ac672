/**
 * `npm run bench:upgrade [-- options]` (`-- --help` lists them): votes, payments, visits and open tabs while a new release is built
 * beside the running site and switched to (decision 36). Loopback only, everything it starts ends with it.
 */
import { type Finding, isMet, table } from '#lab/bench/report.ts';
import { measureUpgrades } from '#lab/bench/upgrade/measure.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readOptions } from '#ops/process/options.ts';

const { values } = readOptions('npm run bench:upgrade -- [options]', {
  workers: { type: 'string', says: 'processes of the site (2)' },
  upgrades: { type: 'string', says: 'how often it is upgraded (3)' },
  from: { type: 'string', says: 'the commit that it begins with (HEAD)' },
  to: { type: 'string', says: 'the commit that it is upgraded to, with a change in the page each time (HEAD)' },
  json: { type: 'boolean', says: 'prints JSON to stdout, and everything else beside it' },
});
if (values.json === true) console.log = console.error;

await runWithLifecycle(async (lifecycle) => {
  const findings: Finding[] = await measureUpgrades(lifecycle, {
    workers: Number(values.workers ?? 2),
    upgrades: Number(values.upgrades ?? 3),
    from: values.from ?? 'HEAD',
    to: values.to ?? 'HEAD',
  });
  if (values.json === true) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else console.log(`\n${table(findings)}`);
  await lifecycle.end(findings.every(isMet) ? 0 : 1);
});
