/** WebKitGTK's MiniBrowser on a virtual screen, by W3C WebDriver over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '#ops/process/free-port.ts';
import type { Browser } from './browser.ts';
import { VIRTUAL_SCREEN, WEBKIT_DRIVER } from '#ops/install/engines.ts';

const LIBRARIES = '/usr/lib';
const START_MS = 30_000;

const KEYS: Record<string, string> = {
  ArrowLeft: '\ue012',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
  Enter: '\ue007',
};

function miniBrowser(): string {
  const places = readdirSync(LIBRARIES).map((folder) => path.join(LIBRARIES, folder, 'webkit2gtk-4.1', 'MiniBrowser'));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error('MiniBrowser is not installed');
  return found;
}

async function until<T>(read: () => Promise<T>): Promise<T> {
  const endsAtMs = Date.now() + START_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (Date.now() > endsAtMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function startScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(VIRTUAL_SCREEN, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await new Promise<string>((resolve, reject) => {
    screen.stdio[3]?.once('data', (data: Buffer) => resolve(`:${data.toString().trim()}`));
    screen.once('error', reject);
    screen.once('exit', () => reject(new Error('Xvfb ended')));
  });
  return { screen, display };
}

/** WebDriver has no console: the page keeps its own errors, from its load on. One document is loaded in a journey. */
const KEEP_ERRORS = `(() => {
  const errors = (window.shownErrors = []);
  const log = console.error;
  console.error = (...words) => { errors.push(words.map(String).join(' ')); log.apply(console, words); };
  addEventListener('error', ({ message }) => errors.push(message));
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
  return true;
})()`;

export async function startWebKit(): Promise<Browser> {
  const { screen, display } = await startScreen();
  const port = await freePort();
  const env = { ...process.env, DISPLAY: display, LANG: 'C.UTF-8', GDK_BACKEND: 'x11' };
  const driver = spawn(WEBKIT_DRIVER, [`--port=${port}`], { env, stdio: 'ignore' });

  async function call<T>(method: string, route: string, body?: object): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}${route}`, {
      method,
      signal: AbortSignal.timeout(START_MS),
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
    const { value } = (await response.json()) as { value: T & { message?: string } };
    if (!response.ok) throw new Error(`${method} ${route}: ${value?.message ?? response.status}`);
    return value;
  }

  const options = { binary: miniBrowser(), args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  await until(() => call('GET', '/status'));
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', { capabilities });
  const at = (route: string) => `/session/${sessionId}${route}`;
  const act = (actions: object[]) => call('POST', at('/actions'), { actions });
  const evaluate = <T>(expression: string): Promise<T> =>
    call<T>('POST', at('/execute/async'), { script: `Promise.resolve(${expression}).then(arguments[0])`, args: [] });

  async function press(keys: readonly string[], pauseMs = 0): Promise<void> {
    const actions = keys.flatMap((key, index) => [
      ...(index > 0 && pauseMs > 0 ? [{ type: 'pause', duration: pauseMs }] : []),
      { type: 'keyDown', value: KEYS[key] ?? key },
      { type: 'keyUp', value: KEYS[key] ?? key },
    ]);
    await act([{ type: 'key', id: 'keyboard', actions }]);
  }
  return {
    async goto(url) {
      await call('POST', at('/url'), { url });
      await evaluate(KEEP_ERRORS);
    },
    evaluate,
    async resize(width, height) {
      const rect = { x: 0, y: 0, width, height };
      await call('POST', at('/window/rect'), rect);
      const [innerWidth, innerHeight] = await evaluate<[number, number]>('[innerWidth, innerHeight]');
      await call('POST', at('/window/rect'), {
        ...rect,
        width: 2 * width - innerWidth,
        height: 2 * height - innerHeight,
      });
    },
    async mouse([first, ...rest]) {
      if (!first) return;
      const move = ({ x, y }: { x: number; y: number }) => ({
        type: 'pointerMove',
        duration: 16,
        x: Math.round(x),
        y: Math.round(y),
      });
      const actions = [
        move(first),
        { type: 'pointerDown', button: 0 },
        ...rest.map(move),
        { type: 'pointerUp', button: 0 },
      ];
      await act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
    },
    press,
    type: (text) => press(Array.from(text)),
    async upload(selector, file) {
      const found = await call<Record<string, string>>('POST', at('/element'), {
        using: 'css selector',
        value: selector,
      });
      await call('POST', at(`/element/${Object.values(found)[0]}/value`), { text: file });
    },
    back: () => call('POST', at('/back'), {}),
    errors: () => evaluate<string[]>('window.shownErrors'),
    picture: async () => Buffer.from(await call<string>('GET', at('/screenshot')), 'base64'),
    async close() {
      await call('DELETE', at('')).catch(() => undefined);
      driver.kill();
      screen.kill();
    },
  };
}
