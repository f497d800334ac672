import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import { SERVER_FLAGS } from '#ops/serve/server.ts';
import { migrate } from '#db/migrate.ts';
import { startDatabase, startSandbox, TestOwner } from '../stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
    templateName: string;
    rpcUrl: string;
    faucetUrl: string;
  }
}

/**
 * Compiles the server's code once for all its processes: killed ones leave none of their compiled code. Without
 * settings the server ends as soon as its code is loaded.
 */
async function compileServer(): Promise<void> {
  if (process.env.NODE_COMPILE_CACHE === undefined) return;
  const child = fork(path.resolve('ops/serve/main.ts'), {
    execArgv: SERVER_FLAGS,
    env: inheritedEnv(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'exit');
}

/** A database server for the run: TEST_DATABASE_URL when given, otherwise the embedded one in a separate folder. */
async function databaseUrl(owner: TestOwner): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return given;
  return (await startDatabase(owner, { durable: false, isBare: true })).url;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const owner = new TestOwner();
  const [url, { rpcUrl, faucetUrl }] = await Promise.all([databaseUrl(owner), startSandbox(owner), compileServer()]);
  const templateName = `template_${process.pid}_${Date.now()}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await owner.atEnd(async () => {
    await client.query(`DROP DATABASE IF EXISTS ${templateName} WITH (FORCE)`);
    await client.end();
  });
  await client.query(`CREATE DATABASE ${templateName}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${templateName}`;
  await migrate(templateUrl.href);
  project.provide('databaseUrl', url);
  project.provide('templateName', templateName);
  project.provide('rpcUrl', rpcUrl);
  project.provide('faucetUrl', faucetUrl);
  return () => owner.end();
}
