/** `npm run weigh`: lowers the size budgets to the present sizes. `-- --because '…'` raises those that are too low, for that reason. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from '#ops/process/options.ts';
import { ROOT } from '#ops/process/report.ts';
import { BUDGETS, type Budgets, sumOf, weighHouse } from '#lab/rules/budgets.ts';
import { read } from '#lab/rules/sources.ts';

const { values } = readOptions('npm run weigh -- [options]', {
  because: { type: 'string', says: 'what the lines that are over their budgets take the place of' },
});
const { lines, raised } = JSON.parse(read(BUDGETS)) as Budgets;
const weights = await weighHouse();
const names = Object.keys(weights).toSorted();
const over = names.filter((name) => (weights[name] ?? 0) > (lines[name] ?? 0));
for (const name of over) console.log(`${name}: ${lines[name] ?? 0} → ${weights[name]}`);
const because = values.because?.trim();
if (over.length > 0 && !because) {
  console.error(
    "✗ Over the budget. Take something out, or say what it takes the place of: npm run weigh -- --because '…'",
  );
  process.exitCode = 1;
} else {
  const budgets: Budgets = {
    lines: Object.fromEntries(names.map((name) => [name, weights[name] ?? 0])),
    raised: Object.fromEntries(
      names.flatMap((name) => {
        const reason = over.includes(name) ? because : raised[name];
        return reason === undefined ? [] : [[name, reason]];
      }),
    ),
  };
  writeFileSync(path.join(ROOT, BUDGETS), `${JSON.stringify(budgets, null, 2)}\n`);
  console.log(
    `Lines of source ${sumOf(weights, 'source')}, of tests ${sumOf(weights, 'tests')}, words ${weights.words}.`,
  );
}
