/**
 * `npm run bench:web [runs]`: Lighthouse (phone, slow 4G) on the built pages of a server of our own, for a visitor and
 * for a user with a session; the median of three runs of each. Also the frames of swipes on a slow processor. Exits
 * with 1 when a goal is missed. A busy machine costs points of performance, milliseconds and frames, never the others.
 */
import { buildPage, isPageBuilt } from '#ops/page/build-page.ts';
import { forkReady } from '#ops/process/children.ts';
import { findChromium } from '#ops/install/chromium.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { type Audited, GOALS, measurePage } from '#lab/bench/web/lighthouse.ts';
import { step } from '#ops/process/report.ts';
import { newSessionCookie } from '#lab/bench/web/sign-in.ts';
import { measureSwipes, type Screen, type SwipeFrames, swipeLine } from '#lab/bench/web/swipe-frames.ts';

const PAGES = ['/', '/leaderboard', '/projects/tidepool-swap'];
/**
 * Measures of a session: how long the screen is blank, when the first card or row is visible, and that nothing moves.
 */
const SESSION_LIMITS = { fcpMs: 1_000, lcpMs: 2_500, cls: 0.01 };
/** Pages of a session. The server draws only the shell of the portfolio. */
const SESSION_PAGES = [
  { path: '/', limits: SESSION_LIMITS },
  { path: '/leaderboard', limits: SESSION_LIMITS },
  { path: '/portfolio', limits: { ...SESSION_LIMITS, lcpMs: Number.POSITIVE_INFINITY } },
];
type Limits = typeof SESSION_LIMITS;
const SCREENS: Screen[] = ['phone', 'desktop'];
const SWIPES = 30;
const DEFAULT_RUNS = 3;

/** One line of the table; scores below their goal are marked. */
function line({ path, scores, fcpMs, lcpMs, tbtMs, cls, machineSpeed }: Audited): string {
  const cells = GOALS.map(({ id, goal }) => `${scores[id] ?? 0}${(scores[id] ?? 0) < goal ? '!' : ''}`.padStart(14));
  const timings = [
    `${Math.round(fcpMs)} ms`,
    `${Math.round(lcpMs)} ms`,
    `${Math.round(tbtMs)} ms`,
    cls.toFixed(3),
    machineSpeed,
  ].map((cell) => String(cell).padStart(9));
  return [path.padEnd(26), ...cells, ...timings].join(' ');
}

const TIMINGS = ['fcpMs', 'lcpMs', 'cls'] as const;

/** One line for a page of a session: its measures against their limits. */
function sessionLine(page: Audited, limits: Limits): string {
  const cells = TIMINGS.map((key) => {
    const value = key === 'cls' ? page.cls.toFixed(3) : `${Math.round(page[key])} ms`;
    const name = { fcpMs: 'blank', lcpMs: 'LCP', cls: 'CLS' }[key];
    const limit = Number.isFinite(limits[key]) ? ` (≤ ${limits[key]})` : '';
    return `${name} ${value}${limit}${page[key] > limits[key] ? '!' : ''}`.padEnd(26);
  });
  return `${page.path.padEnd(26)} ${cells.join(' ')} TBT ${Math.round(page.tbtMs)} ms, machine ${page.machineSpeed}`;
}

function heading(): string {
  const titles = [
    ...GOALS.map(({ id, goal }) => `${id} ≥${goal}`.padStart(14)),
    'blank',
    'LCP',
    'TBT',
    'CLS',
    'machine',
  ];
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
  const cookie = await newSessionCookie(String(stack.ready.url));
  const signedIn: Array<{ page: Audited; limits: Limits }> = [];
  for (const { path, limits } of SESSION_PAGES) {
    const measure = () => measurePage({ origin: String(stack.ready.url), path, runs, chromium, cookie });
    signedIn.push({ page: await step(`${path} with a session, ${runs} runs`, measure), limits });
  }
  // First: what follows takes as long again, and may fail.
  console.log(`\n${heading()}\n${results.map(line).join('\n')}`);
  console.log(`\nWith a session\n${signedIn.map(({ page, limits }) => sessionLine(page, limits)).join('\n')}`);
  const swiped: SwipeFrames[] = [];
  for (const screen of SCREENS) {
    const measure = () => measureSwipes({ origin: String(stack.ready.url), chromium, screen, swipes: SWIPES });
    swiped.push(await step(`${SWIPES} swipes on a ${screen}`, measure));
  }
  console.log(`\nSwipes\n${swiped.map(swipeLine).join('\n')}`);
  for (const { path, findings } of results) for (const finding of findings) console.log(`  ${path}: ${finding}`);
  const missed = [
    ...results.filter(({ scores }) => GOALS.some(({ id, goal }) => (scores[id] ?? 0) < goal)),
    ...signedIn.filter(({ page, limits }) => TIMINGS.some((key) => page[key] > limits[key])).map(({ page }) => page),
    ...swiped.filter(({ slow }) => slow > 0).map(({ screen }) => ({ path: `swipes on a ${screen}` })),
  ];
  console.log(
    missed.length === 0 ? '\nEvery goal is met.' : `\nMissed on ${missed.map(({ path }) => path).join(', ')}.`,
  );
  await lifecycle.end(missed.length === 0 ? 0 : 1);
});
