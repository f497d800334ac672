import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { checkBudget } from '#ops/page/budget.ts';
import { buildPage } from '#ops/page/build-page.ts';
import { ENGINE_PACKAGES } from '#ops/install/engines.ts';
import { checkImports } from '../rules/check-imports.ts';
import { checkBudgets } from '../rules/budgets.ts';
import { findPatterns } from '../rules/patterns.ts';
import { findChromium, findHeadlessShell } from '#ops/install/chromium.ts';
import { findStyleLeaks } from '#ops/page/css-isolation.ts';
import { startDatabase, TestOwner } from '../stack.ts';
import { failedInVitest, journeysIn } from './failed-tests.ts';
import { run } from '#ops/process/programs.ts';
import { ROOT } from '#ops/process/report.ts';
import { installDebianPackage } from '#ops/install/machine-packages.ts';
import { findSystemPostgres } from '#ops/install/system-postgres.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  note?: string;
  /** Failed tests, a line each, for the end of the run: the output in between is long. */
  failures?: string[];
  /** Journeys that failed and passed alone afterwards, a line each. */
  flaky?: string[];
  /** Suites that did not run because a program is missing, with the reason. */
  leftOut?: string[];
}

/** `short` is `npm test`, for each change; `all` is `npm run test:all`. */
export type Lane = 'short' | 'all';

export interface TestStep {
  name: string;
  /** Runs the step. What it throws counts as one failure. */
  work(lane: Lane): Promise<Counts>;
}

/** Compiled code of Node.js, for processes that are started many times; Vitest's configuration names it, too. */
const COMPILED = path.join(ROOT, 'node_modules/.cache/compiled');
/** A run that hangs ends; a slow machine with two runs on two cores takes more than half an hour. */
const TESTS_TIMEOUT_MS = 60 * 60_000;
const PASSED: Counts = { passed: 1, failed: 0, skipped: 0 };

/** A tool with only a yes or no: one check; its output is shown when it fails. */
async function check(command: string, ...args: string[]): Promise<Counts> {
  const { code, output } = await run(command, args, { timeoutMs: TESTS_TIMEOUT_MS });
  if (code === 0) return PASSED;
  console.log(output.trim());
  return { passed: 0, failed: 1, skipped: 0 };
}

/** Server, page and journeys have different globals: Node only, the browser only, both. */
const TYPE_PROJECTS = ['tsconfig.json', 'web/tsconfig.json', 'lab/e2e/tsconfig.json'];

async function checkTypes(): Promise<Counts> {
  const counts = await Promise.all(TYPE_PROJECTS.map((project) => check('tsc', '-p', project)));
  return counts.every(({ failed }) => failed === 0) ? PASSED : { passed: 0, failed: 1, skipped: 0 };
}

async function list(findOffences: () => Promise<string[]>): Promise<Counts> {
  const offences = await findOffences();
  if (offences.length > 0) console.log(offences.join('\n'));
  return offences.length === 0 ? PASSED : { passed: 0, failed: 1, skipped: 0 };
}

const VitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number() });

async function runVitest(projects: string[], env: NodeJS.ProcessEnv = {}): Promise<Counts> {
  return withReport(async (file) => {
    const named = projects.map((project) => `--project=${project}`);
    const args = ['run', ...named, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const { code } = await run('vitest', args, { env, show: true, timeoutMs: TESTS_TIMEOUT_MS });
    const json = await readJson(file);
    const report = VitestReport.parse(json);
    return atLeastOneFailure(code, {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests,
      failures: failedInVitest(json, ROOT),
    });
  });
}

/** The tests whose subject is SQL, on the machine's PostgreSQL instead of the one from npm. */
async function runOnSystemPostgres(): Promise<Counts> {
  const found = await findSystemPostgres();
  if ('problem' in found) {
    console.log(`  left out: there is no PostgreSQL 15 or newer on this machine (${found.problem})`);
    const leftOut = [`HTTP tests on the machine's PostgreSQL (${found.problem})`];
    return { passed: 0, failed: 0, skipped: 0, note: 'left out: no PostgreSQL here', leftOut };
  }
  const leftOut = await installMissing('tests behind PgBouncer', { pgbouncer: '/usr/sbin/pgbouncer' });
  const owner = new TestOwner();
  try {
    const { url } = await startDatabase(owner, { durable: false, isBare: true, binDir: found.binDir });
    const counts = await runVitest(['sql'], {
      TEST_DATABASE: 'system',
      TEST_DATABASE_URL: url,
      TEST_POSTGRES_BIN: found.binDir,
    });
    return { ...counts, leftOut };
  } finally {
    await owner.end();
  }
}

/** Programs that tests run, by Debian's names of their packages. */
export const PROGRAM_PACKAGES = {
  'tests behind nginx and Caddy': { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy', openssl: '/usr/bin/openssl' },
  'tests of the alert rules': { prometheus: '/usr/bin/promtool' },
  'HAProxy’s own check of its configuration': { haproxy: '/usr/sbin/haproxy' },
};

async function runWithPrograms(): Promise<Counts> {
  const leftOut = await installMissing('tests of the systemd units', { systemd: '/usr/bin/systemd-analyze' });
  for (const [tests, programs] of Object.entries(PROGRAM_PACKAGES))
    leftOut.push(...(await installMissing(tests, programs)));
  return { ...(await runVitest(['programs'])), leftOut };
}

/**
 * Tests that need other programs run where these are installed; without them they are skipped. Returns the skipped
 * ones, with the reason.
 */
async function installMissing(tests: string, programs: Record<string, string>): Promise<string[]> {
  for (const [name, program] of Object.entries(programs)) {
    const problem = existsSync(program) ? null : await installDebianPackage(name);
    if (problem === null) continue;
    console.log(`  left out: ${tests} (${name}: ${problem})`);
    return [`${tests} (${name}: ${problem})`];
  }
  return [];
}

async function build(): Promise<Counts> {
  await buildPage();
  return { ...PASSED, note: await checkBudget() };
}

async function browsersFor(lane: Lane): Promise<NodeJS.ProcessEnv> {
  const chromium = await findChromium();
  const shell = await findHeadlessShell(chromium);
  // playwright.config.ts leaves out what only the long lane runs.
  return { CHROMIUM_PATH: chromium, HEADLESS_SHELL_PATH: shell, TEST_LANE: lane };
}

const runJourneys = async (lane: Lane): Promise<Counts> => runPlaywright([], await browsersFor(lane));

/** The core journey in Firefox and WebKit (R81). */
async function runEngines(lane: Lane): Promise<Counts> {
  const leftOut: string[] = [];
  const engines: string[] = [];
  for (const [engine, programs] of Object.entries(ENGINE_PACKAGES)) {
    const missing = await installMissing(`the journey in ${engine}`, programs);
    leftOut.push(...missing);
    if (missing.length === 0) engines.push(engine);
  }
  if (engines.length === 0) return { passed: 0, failed: 0, skipped: 0, note: 'left out: neither is here', leftOut };
  // Engines are whole browsers, which draw in software.
  const counts = await runPlaywright(['--project=engines', '--workers=2'], {
    ENGINES: engines.join(),
    TEST_LANE: lane,
  });
  return { ...counts, leftOut };
}

function runPlaywright(args: string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  return withReport(async (file) => {
    const { code } = await run('playwright', ['test', '--reporter=list,json', ...args], {
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
      show: true,
      timeoutMs: TESTS_TIMEOUT_MS,
    });
    return atLeastOneFailure(code, journeysIn(await readJson(file)));
  });
}

const HammerReport = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() });

async function runHammer(): Promise<Counts> {
  const leftOut = await installMissing('a server with a clock of its own in the hammer', {
    faketime: '/usr/bin/faketime',
  });
  return withReport(async (file) => {
    const args = ['scripts/hammer.ts', '--report', file];
    const { code } = await run(process.execPath, [...process.execArgv, ...args], {
      // The hammer kills and restarts its servers repeatedly.
      env: { NODE_COMPILE_CACHE: COMPILED },
      show: true,
      timeoutMs: TESTS_TIMEOUT_MS,
    });
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0, note: 'ended without a report', leftOut };
    const report = HammerReport.parse(await readJson(file));
    return atLeastOneFailure(code, { ...report, leftOut });
  });
}

/** A run can fail without a failed test: a file that does not load, an error outside of all tests. */
function atLeastOneFailure(code: number, counts: Counts): Counts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1, note: `ended with exit code ${code}` } : counts;
}

async function withReport(work: (file: string) => Promise<Counts>): Promise<Counts> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-report-'));
  try {
    return await work(path.join(folder, 'report.json'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readJson(file: string): Promise<unknown> {
  if (!existsSync(file)) throw new Error('the tests ended without a report, see above');
  return JSON.parse(await readFile(file, 'utf8'));
}

const TYPES: TestStep = { name: 'Types', work: checkTypes };
const LINT: TestStep = { name: 'Lint', work: () => check('oxlint', '--deny-warnings', '--type-aware') };
const STYLES: TestStep = { name: 'Styles', work: () => list(findStyleLeaks) };
const IMPORTS: TestStep = { name: 'Imports', work: () => list(checkImports) };
const WORDS: TestStep = { name: 'Words', work: () => list(findPatterns) };
const WEIGHT: TestStep = { name: 'Budgets', work: () => list(checkBudgets) };
const FORMAT: TestStep = { name: 'Format', work: () => check('oxfmt', '--check', ROOT) };
const UNIT: TestStep = { name: 'Unit tests', work: () => runVitest(['unit', 'web']) };
const HAMMER: TestStep = { name: 'Hammer', work: runHammer };
const HTTP: TestStep = { name: 'HTTP tests (embedded PostgreSQL)', work: () => runVitest(['http']) };
const LONG: TestStep = { name: 'Attacks, failures, worlds', work: () => runVitest(['long']) };
const PROGRAMS: TestStep = { name: 'Proxies, units, cluster', work: runWithPrograms };
const SQL: TestStep = { name: "SQL tests (the machine's PostgreSQL)", work: runOnSystemPostgres };
const BUILD: TestStep = { name: 'Web page', work: build };
const JOURNEYS: TestStep = { name: 'Browser journeys (Chromium)', work: runJourneys };
const ENGINES: TestStep = { name: 'Core journey (Firefox, WebKit)', work: runEngines };

/** All parts in the order in which they run; `npm test -- <part>` runs one. */
export const PARTS: Record<string, TestStep[]> = {
  check: [TYPES, LINT, IMPORTS, STYLES, WORDS, WEIGHT, FORMAT],
  unit: [UNIT],
  hammer: [HAMMER],
  http: [HTTP],
  long: [LONG],
  programs: [PROGRAMS],
  sql: [SQL],
  e2e: [BUILD, JOURNEYS],
  engines: [BUILD, ENGINES],
};

/** Parts that `npm test` leaves to `npm run test:all`. */
export const ONLY_IN_ALL: readonly string[] = ['hammer', 'long', 'programs', 'sql', 'engines'];
