import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import { build, type Plugin } from 'vite';
import { findChromium, findHeadlessShell, QUIET_ARGUMENTS } from '#ops/install/chromium.ts';
import { ROOT } from '#ops/process/report.ts';
import type { Owner } from '../stack.ts';
import { firstThreadMs } from './processor.ts';
import { type Finding, median } from './report.ts';

const TURNS = 7;
const VISIT_MS = 5_000;
const PAGES = ['/', '/projects/project-1', '/leaderboard'];
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

const HTML = `<!doctype html><title>Empty</title><div id="root"><h1>Empty</h1></div><script type="module" src="/empty.js"></script>`;
const SCRIPT = `import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
hydrateRoot(document.getElementById('root'), createElement('h1', {}, 'Empty'));`;
const emptyPage: Plugin = {
  name: 'empty-page',
  resolveId: (id) => (id === 'empty' ? id : null),
  load: (id) => (id === 'empty' ? SCRIPT : null),
};

/** A page that React takes over, and nothing else. */
async function serveEmptyPage(owner: Owner): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [emptyPage],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, modulePreload: false, rolldownOptions: { input: 'empty' } },
  });
  const script = [built]
    .flat()
    .flatMap((part) => ('output' in part ? part.output.filter(({ type }) => type === 'chunk') : []))[0];
  const code = script && 'code' in script ? script.code : '';
  const server = createServer(({ url }, response) => {
    const isScript = url === '/empty.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? code : HTML);
  }).listen(0, '127.0.0.1');
  await owner.atEnd(async () => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Main-thread time of a visit of our pages by a phone with an empty cache, as a multiple of that of an empty page, in turns. */
export async function measureVisits(owner: Owner, { name, url }: { name: string; url: string }): Promise<Finding[]> {
  const executablePath = await findHeadlessShell(await findChromium());
  const browser = await chromium.launch({ executablePath, args: QUIET_ARGUMENTS });
  await owner.atEnd(() => browser.close());
  const session = await browser.newBrowserCDPSession();
  const renderers = async (): Promise<Map<number, number>> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    return new Map(await Promise.all(pids.map(async (pid) => [pid, await firstThreadMs(pid)] as const)));
  };
  const visit = async (address: string): Promise<number> => {
    const before = await renderers();
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForTimeout(VISIT_MS);
    const used = [...(await renderers())].map(([pid, ms]) => ms - (before.get(pid) ?? 0));
    await context.close();
    return Math.max(...used);
  };
  const addresses = [await serveEmptyPage(owner), ...PAGES.map((path) => url + path)];
  const turns: number[][] = [];
  // The first turn warms up.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const times: number[] = [];
    for (const address of addresses) times.push(await visit(address));
    if (turn > 0) turns.push(times);
  }
  const timeOf = (at: number) => median(turns.map((times) => times[at] ?? Number.NaN));
  return PAGES.map((path, at) => ({
    name: `${name}: a visit of ${path} ÷ an empty React page`,
    value: timeOf(at + 1) / timeOf(0),
    unit: '×',
    detail: `${Math.round(timeOf(at + 1))} of ${Math.round(timeOf(0))} ms`,
  }));
}
