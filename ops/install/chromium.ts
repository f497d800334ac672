import { installDebianPackage } from './machine-packages.ts';
import { run } from '../process/programs.ts';

const KNOWN_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** For tests and benchmarks, by root too: the browser itself must not use the network. */
export const QUIET_ARGUMENTS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** CHROMIUM_PATH, the machine's Chromium, or Debian's, installed now. @throws Error with one line */
export async function findChromium(): Promise<string> {
  const given = await givenIn('CHROMIUM_PATH');
  if (given !== null) return given;
  for (const place of KNOWN_PLACES) if (await runs(place)) return place;
  const problem = await install('chromium', '/usr/bin/chromium');
  if (problem === null) return '/usr/bin/chromium';
  throw new Error(
    `There is no Chromium on this machine, and it could not be installed (${problem}): install Chromium or Chrome, or set CHROMIUM_PATH.`,
  );
}

/** Falls back to `chromium` where CHROMIUM_PATH names a browser, or where no headless one can be installed. */
export async function findHeadlessShell(chromium: string): Promise<string> {
  const given = await givenIn('HEADLESS_SHELL_PATH');
  if (given !== null) return given;
  if (process.env.CHROMIUM_PATH) return chromium;
  if (await runs(HEADLESS_SHELL)) return HEADLESS_SHELL;
  const problem = await install('chromium-headless-shell', HEADLESS_SHELL);
  if (problem === null) return HEADLESS_SHELL;
  console.log(`  all journeys run in ${chromium}: there is no chromium-headless-shell (${problem})`);
  return chromium;
}

async function givenIn(setting: 'CHROMIUM_PATH' | 'HEADLESS_SHELL_PATH'): Promise<string | null> {
  const given = process.env[setting];
  if (!given) return null;
  if (await runs(given)) return given;
  throw new Error(`${setting} is ${given}, which does not run: correct or unset it.`);
}

async function install(name: string, place: string): Promise<string | null> {
  return (await installDebianPackage(name)) ?? ((await runs(place)) ? null : 'it does not run');
}

/** Some systems have a stub in its place, so running it is the only reliable check. */
async function runs(place: string): Promise<boolean> {
  const { code } = await run(place, ['--version', '--no-sandbox'], { timeoutMs: 20_000 });
  return code === 0;
}
