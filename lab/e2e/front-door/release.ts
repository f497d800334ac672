/**
 * Two releases of the product behind one address: the built page, and a copy of it in which every hashed file has another name; with
 * the files of the first one still there, or gone as after many more releases.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { freePort } from '#ops/process/free-port.ts';
import { endServer, nextMessage, startFurtherServer } from './further-server.ts';

const BUILT = realpathSync('dist/current');
const HASHED = /-([\w-]{7,8})\.(js|css|woff2)$/;
const TEXT = /\.(js|css|html|json|webmanifest)$/;
/** Would say the old names; the server sends the plain file where there is none. */
const COMPRESSED = /\.(br|gz|map)$/;

const nextHash = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, hash.length);

interface Releases {
  folder: string;
  link: (name: string) => Promise<void>;
  remove: () => Promise<void>;
}

async function makeReleases(): Promise<Releases> {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-releases-'));
  await cp(BUILT, path.join(folder, 'first'), { recursive: true });
  await makeNext(path.join(folder, 'next'));
  return {
    folder,
    link: async (name) => {
      await symlink(name, path.join(folder, 'new-link'));
      await rename(path.join(folder, 'new-link'), path.join(folder, 'current'));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function makeNext(folder: string): Promise<void> {
  await cp(BUILT, folder, { recursive: true, filter: (file) => !COMPRESSED.test(file) });
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
}

export interface ReleasedServer {
  url: string;
  upgrade: () => Promise<void>;
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

const startServer = (port: number, releases: string): Promise<ChildProcess> =>
  startFurtherServer({
    PORT: String(port),
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    TEST_RELEASES: releases,
  });

export async function startRelease(): Promise<ReleasedServer> {
  const port = await freePort();
  const releases = await makeReleases();
  await releases.link('first');
  let server = await startServer(port, releases.folder);
  return {
    url: `http://localhost:${port}`,
    async upgrade() {
      await releases.link('next');
      const done = nextMessage(server);
      server.kill('SIGHUP');
      expect(await done).toEqual({ replaced: true });
    },
    async restart() {
      await endServer(server);
      await releases.link('next');
      await rm(path.join(releases.folder, 'first'), { recursive: true });
      server = await startServer(port, releases.folder);
    },
    async stop() {
      await endServer(server);
      await releases.remove();
    },
  };
}
