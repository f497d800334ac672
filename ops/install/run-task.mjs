import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { findNode } from './node.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PRODUCTION_TASKS = new Set(['serve', 'migrate', 'doctor', 'coin', 'backup', 'restore']);
const PARENT_CHECK_MS = 1000;

export async function runTask(task, args) {
  const script = path.join(root, 'scripts', `${task}.ts`);
  if (task === undefined || !/^[\w-]+$/.test(task) || !existsSync(script)) {
    const tasks = readdirSync(path.join(root, 'scripts')).flatMap((name) => /^([\w-]+)\.ts$/.exec(name)?.[1] ?? []);
    return fail(`There is no task "${task ?? ''}". Tasks: ${tasks.join(', ')}.`);
  }
  try {
    await ensureInstalled(root, { production: PRODUCTION_TASKS.has(task) });
    const { node, flags } = findNode(root);
    return runScript(node, [...flags, script, ...args]);
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  console.error(`✗ ${message}`);
  process.exitCode = 1;
}

function runScript(node, args) {
  const folders = [path.dirname(node), path.join(root, 'node_modules', '.bin'), process.env.PATH];
  const child = spawn(node, args, {
    // The channel reports the death of this process to the script, so that no child stays behind.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: folders.join(path.delimiter) },
  });
  child.on('error', (error) => fail(`${node} cannot be run: ${error.message}`));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const watch = watchParent(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    clearInterval(watch);
    process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
  });
}

/** A killed npm (SIGKILL) cannot notify us, but it is no longer our parent. */
function watchParent(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_CHECK_MS);
  return timer;
}
