import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

const OLDEST = [22, 18];

/** The pinned Node, or the present one where npm has none for the platform. @throws Error with one line */
export function findNode(root) {
  const pinned = path.join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned) && canRun(pinned)) return { node: pinned, flags: [] };
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
    return { node: process.execPath, flags: ['--disable-warning=ExperimentalWarning'] };
  }
  throw new Error(
    `For ${process.platform} on ${process.arch} npm has no Node of ours, and Node ${process.versions.node} is too old: install Node 24 from https://nodejs.org`,
  );
}

function canRun(node) {
  try {
    accessSync(node, constants.X_OK);
  } catch {
    try {
      chmodSync(node, 0o755);
    } catch {
      return false;
    }
  }
  return spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0;
}
