/** Two releases of the product behind one address: the built page, and a copy of it in which every hashed file has another name. */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '#dev/process/free-port.ts';

const DIST = path.resolve('dist');
const HASHED = /-([\w-]{7,8})\.(js|css|woff2)$/;
const TEXT = /\.(js|css|html|json|webmanifest)$/;
/** Would say the old names; the server sends the plain file where there is none. */
const COMPRESSED = /\.(br|gz|map)$/;

const nextHash = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, hash.length);

/**
 * Copies dist/ into a folder of its own as the release that comes after it: the same code, but no file keeps its hashed name, as
 * after a change in what all of them import. Returns the folder.
 */
export async function makeNextRelease(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-release-'));
  await cp(DIST, folder, { recursive: true, filter: (file) => !COMPRESSED.test(file) });
  const assets = path.join(folder, 'assets');
  const hashes = (await readdir(assets)).flatMap((name) => HASHED.exec(name)?.[1] ?? []);
  const renamed = (text: string): string =>
    hashes.reduce((next, hash) => next.replaceAll(`-${hash}.`, `-${nextHash(hash)}.`), text);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const place = path.join(file.parentPath, file.name);
    if (TEXT.test(file.name)) await writeFile(place, renamed(await readFile(place, 'utf8')));
    if (renamed(file.name) !== file.name) await rename(place, path.join(file.parentPath, renamed(file.name)));
  }
  return folder;
}

/** An address of its own, over the data of all journeys. */
export interface ReleasedServer {
  url: string;
  /** Ends the server and starts one with the page of `folder` in its place, at the same address. */
  upgrade: (folder: string) => Promise<void>;
  stop: () => Promise<void>;
}

async function startServer(port: number, folder: string): Promise<ChildProcess> {
  const settings = JSON.parse(process.env.E2E_SERVER_SETTINGS ?? '{}') as NodeJS.ProcessEnv;
  const env = { ...settings, PORT: String(port), PUBLIC_ORIGIN: `http://localhost:${port}` };
  const child = fork(path.resolve('server/main.ts'), [`--dist=${folder}`], { env });
  const ready = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`the server did not start (exit code ${code})`)));
  });
  await ready;
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Serves the page as it was built. */
export async function startRelease(): Promise<ReleasedServer> {
  const port = await freePort();
  let server = await startServer(port, DIST);
  return {
    url: `http://localhost:${port}`,
    async upgrade(folder) {
      await end(server);
      server = await startServer(port, folder);
    },
    stop: () => end(server),
  };
}

export const removeRelease = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
