import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#ops/postgres/embedded.ts';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import { SERVER_FLAGS } from '#ops/serve/server.ts';
import { migrate } from '#db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a database that may create others. */
    databaseUrl: string;
    /** Name of the migrated database that test files copy. */
    templateName: string;
    rpcUrl: string;
    faucetUrl: string;
  }
}

interface Ready {
  ready: true;
  rpcUrl: string;
  faucetUrl: string;
}

/** The sandbox chain on free ports, as a separate process, as in production. */
async function startSandbox(): Promise<Ready & { stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-chain-'));
  const child = fork(path.resolve('lab/sandbox/main.ts'), {
    execArgv: [],
    env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_FAUCET_PORT: '0', SANDBOX_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready));
    child.once('exit', (code) => reject(new Error(`the sandbox chain ended with code ${code}`)));
  });
  return {
    ...ready,
    stop: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }).then(() => rm(folder, { recursive: true, force: true })),
  };
}

/**
 * Compiles the server's code once for all its processes: killed ones leave none of their compiled code. Without
 * settings the server ends as soon as its code is loaded.
 */
async function compileServer(): Promise<void> {
  if (process.env.NODE_COMPILE_CACHE === undefined) return;
  const child = fork(path.resolve('server/main.ts'), {
    execArgv: SERVER_FLAGS,
    env: inheritedEnv(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'exit');
}

/** A database server for the run: TEST_DATABASE_URL when given, otherwise the embedded one in a separate folder. */
async function startDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'snapswipe-test-'));
  const server = await startEmbeddedPostgres({
    dataDir: path.join(dataDir, 'postgres'),
    // No data outlives the run, so none has to reach the disk.
    durable: false,
    settings: { max_connections: '300' },
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [database, sandbox] = await Promise.all([startDatabase(), startSandbox(), compileServer()]);
  const templateName = `template_${process.pid}_${Date.now()}`;
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  const templateUrl = new URL(database.url);
  templateUrl.pathname = `/${templateName}`;
  await migrate(templateUrl.href);
  project.provide('databaseUrl', database.url);
  project.provide('templateName', templateName);
  project.provide('rpcUrl', sandbox.rpcUrl);
  project.provide('faucetUrl', sandbox.faucetUrl);
  return async () => {
    await client.query(`DROP DATABASE IF EXISTS ${templateName} WITH (FORCE)`);
    await client.end();
    await Promise.all([sandbox.stop(), database.stop()]);
  };
}
