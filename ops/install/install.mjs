import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const STILL_WORKING_MS = 15_000;
/** npm names each file that it has fetched. Without a new one for this long, the registry is down, or npm is stuck. */
const SILENCE_MS = 10 * 60_000;

/** Install scripts stay off: nothing needs one, and none may run on the machine. @throws Error with one line */
export async function ensureInstalled(root, { production = false, silenceMs = SILENCE_MS } = {}) {
  const reason = whyInstall(root, production);
  if (reason === null) return;
  const release = claim(path.join(root, '.cache'));
  try {
    console.log(`• Installing the packages (${reason}) …`);
    const startedAtMs = Date.now();
    await npmInstall(root, silenceMs);
    const missing = whyInstall(root);
    if (missing !== null)
      throw new Error(
        `npm did not install what package-lock.json asks for (${missing}): delete node_modules and start again.`,
      );
    console.log(`✓ Packages installed  ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`);
  } finally {
    release();
  }
}

/** The reason why node_modules is unusable, or null: npm records what it has really installed in a lockfile there. */
export function whyInstall(root, production = false) {
  const wanted = readJson(path.join(root, 'package-lock.json'));
  if (wanted === null) throw new Error('package-lock.json is missing or broken: restore it from the repository.');
  const installed = readJson(path.join(root, 'node_modules', '.package-lock.json'));
  if (installed === null) return 'first start';
  const pinned = wanted.packages[''].optionalDependencies ?? {};
  for (const [folder, entry] of Object.entries(wanted.packages)) {
    if (folder === '' || (production && (entry.dev || entry.devOptional))) continue;
    const found = installed.packages[folder];
    const optional = entry.optional || entry.devOptional || entry.peer;
    const needed =
      !optional || (isPinned(folder, pinned) && fits(entry.os, process.platform) && fits(entry.cpu, process.arch));
    if (found === undefined ? needed : found.version !== entry.version) return 'package-lock.json has changed';
  }
  return null;
}

function isPinned(folder, pinned) {
  return Object.hasOwn(pinned, folder.slice('node_modules/'.length));
}

function fits(allowed, value) {
  return allowed === undefined || [allowed].flat().includes(value);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Two installs at once would delete each other's files. Returns the function that releases the claim. */
function claim(folder) {
  const file = path.join(folder, 'installing.pid');
  const owner = Number(readJson(file));
  if (owner > 0 && owner !== process.pid && isAlive(owner)) {
    throw new Error(`Another start (process ${owner}) is installing the packages: wait for it, then try again.`);
  }
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, String(process.pid));
  } catch (error) {
    throw new Error(`This folder cannot be written (${error.message}): give this user the right to write it.`, {
      cause: error,
    });
  }
  return () => rmSync(file, { force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function npmInstall(root, silenceMs) {
  // Not `npm ci`: it refuses a lockfile that lacks the packages of another platform, which npm itself leaves out where
  // a registry does not have them. With --no-save the lockfile is obeyed and not written; whyInstall checks the result.
  const args = [
    'install',
    '--no-save',
    // Includes packages that NODE_ENV and the settings of npm would omit: the page is built with the former, and
    // PostgreSQL and Node are among the latter.
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=http',
  ];
  const cli = process.env.npm_execpath;
  const viaNode = cli !== undefined && /npm-cli\.[cm]?js$/.test(cli);
  return new Promise((resolve, reject) => {
    const child = viaNode
      ? spawn(process.execPath, [cli, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const startedAtMs = Date.now();
    let heardAtMs = startedAtMs;
    let isStuck = false;
    const secondsSince = (ms) => Math.round((Date.now() - ms) / 1000);
    const tick = setInterval(() => {
      const quiet =
        Date.now() - heardAtMs < 2 * STILL_WORKING_MS ? '' : `, nothing new for ${secondsSince(heardAtMs)} s`;
      console.log(`  still installing (${secondsSince(startedAtMs)} s${quiet})`);
    }, STILL_WORKING_MS);
    const watch = setInterval(() => {
      if (Date.now() - heardAtMs < silenceMs) return;
      isStuck = true;
      child.kill('SIGKILL');
    }, 1_000);
    let output = '';
    child.stdout.resume();
    child.stderr.on('data', (data) => {
      heardAtMs = Date.now();
      output += data;
    });
    const stop = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
    const end = (error) => {
      clearInterval(tick);
      clearInterval(watch);
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, stop);
      if (error === undefined) resolve();
      else reject(new Error(error));
    };
    child.on('error', (error) => end(`npm cannot be run (${error.message}): install npm, it comes with Node.`));
    child.on('close', (code, signal) => {
      if (code === 0) end();
      else if (isStuck)
        end(
          `npm has done nothing for ${Math.round(silenceMs / 1000)} s, and was ended: see that its registry can be reached (npm config get registry) and that its cache can be written (npm config get cache).`,
        );
      else if (signal !== null || code === 130) end('The installation was interrupted: start again to finish it.');
      else end(`npm could not install the packages: ${npmReason(output)}`);
    });
  });
}

/** npm's reason, in one line. The code comes first: it is the whole reason for a folder without write permission. */
function npmReason(output) {
  const lines = output
    .split('\n')
    .filter((line) => !/^npm (http|warn)\b/i.test(line))
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim());
  const valueOf = (name) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const [code, call, place] = [valueOf('code'), valueOf('syscall'), valueOf('path')];
  const hint = /[\\/]_cacache\b/.test(place ?? '') ? '; npm_config_cache can name another folder for its cache' : '';
  if (code && place) return `${code}: ${call ? `${call} ` : ''}${place}${hint}`;
  const telling = lines.find(
    (line) => line !== '' && !/^code\b|complete log of this run|^errno\b|^syscall\b/i.test(line),
  );
  return telling ?? 'it gave no reason; run `npm install --ignore-scripts` to see more.';
}
