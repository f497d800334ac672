/**
 * `npm run bench:web [runs]`: Lighthouse (phone, slow connection) on the built pages of a server of our own; the median of
 * three runs of each. Ends with 1 when a goal is missed. A busy machine costs points of performance, never of the others.
 */
import { buildPage, isPageBuilt } from './lib/build-page.ts';
import { forkReady } from './lib/children.ts';
import { findChromium } from './lib/chromium.ts';
import { runWithLifecycle } from './lib/lifecycle.ts';
import { type Audited, GOALS, measurePage } from './lib/lighthouse.ts';
import { step } from './lib/report.ts';

const PAGES = ['/', '/leaderboard', '/projects/tidepool-swap'];
const DEFAULT_RUNS = 3;

/** One line of the table; scores below their goal carry a mark. */
function line({ path, scores, lcpMs, tbtMs, cls, machineSpeed }: Audited): string {
  const cells = GOALS.map(({ id, goal }) => `${scores[id] ?? 0}${(scores[id] ?? 0) < goal ? '!' : ''}`.padStart(14));
  const timings = [`${Math.round(lcpMs)} ms`, `${Math.round(tbtMs)} ms`, cls.toFixed(3), machineSpeed].map((cell) =>
    String(cell).padStart(9),
  );
  return [path.padEnd(26), ...cells, ...timings].join(' ');
}

function heading(): string {
  const titles = [...GOALS.map(({ id, goal }) => `${id} ≥${goal}`.padStart(14)), 'LCP', 'TBT', 'CLS', 'machine'];
  return [' '.repeat(26), ...titles.map((title) => title.padStart(9))].join(' ');
}

await runWithLifecycle(async (lifecycle) => {
  const runs = Number(process.argv[2] ?? DEFAULT_RUNS);
  if (!Number.isInteger(runs) || runs < 1) throw new Error('Usage: npm run bench:web [runs], such as 3');
  const chromium = await findChromium();
  if (!(await isPageBuilt())) await step('Web page built', buildPage);
  const stack = await step('Product started', () =>
    lifecycle.own(forkReady({ name: 'The product', file: 'scripts/e2e-stack.ts', env: process.env })),
  );
  const results: Audited[] = [];
  for (const path of PAGES) {
    const measure = () => measurePage({ origin: String(stack.ready.url), path, runs, chromium });
    results.push(await step(`${path}, ${runs} runs`, measure));
  }
  console.log(`\n${heading()}\n${results.map(line).join('\n')}`);
  for (const { path, findings } of results) for (const finding of findings) console.log(`  ${path}: ${finding}`);
  const missed = results.filter(({ scores }) => GOALS.some(({ id, goal }) => (scores[id] ?? 0) < goal));
  console.log(
    missed.length === 0 ? '\nEvery goal is met.' : `\nMissed on ${missed.map(({ path }) => path).join(', ')}.`,
  );
  await lifecycle.end(missed.length === 0 ? 0 : 1);
});
