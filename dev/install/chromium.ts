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

/**
 * Path of a Chromium that runs: the one of CHROMIUM_PATH, one of the machine, or Debian's, installed now.
 * @throws Error with one clear line when there is none to be had.
 */
export async function findChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (await runs(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, which does not run: correct or unset it.`);
  }
  for (const place of KNOWN_PLACES) if (await runs(place)) return place;
  const problem = await installDebianPackage('chromium');
  if (problem === null && (await runs('/usr/bin/chromium'))) return '/usr/bin/chromium';
  throw new Error(
    `There is no Chromium on this machine, and it could not be installed (${problem ?? 'it does not run'}): install Chromium or Chrome, or set CHROMIUM_PATH.`,
  );
}

/** Some systems have a stub in its place, so asking is the only way to know. */
async function runs(place: string): Promise<boolean> {
  const { code } = await run(place, ['--version', '--no-sandbox'], { timeoutMs: 20_000 });
  return code === 0;
}
