import { type ChildProcess, fork } from 'node:child_process';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { ProjectDraft } from '#shared/contract/projects.ts';
import type { Payment } from '#shared/contract/payments.ts';
import { createTestDatabase } from '../testing/app.ts';
import {
  balanceMist,
  fundedWallet,
  type OwnChain,
  pay,
  readyMessage,
  signPayment,
  startChain,
} from '../testing/chain.ts';
import { Client, newUser, type TestUser } from '../testing/client.ts';
import { executeSigned, newDraft, prepareSubmit, submitPaid } from '../testing/drafts.ts';
import { ADMIN_KEYPAIR } from '../testing/wallets.ts';

const ADMIN = ADMIN_KEYPAIR.toSuiAddress();
// Servers start and stop here, on machines that are busy with other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
const WAIT = { timeout: 60_000, interval: 50 };

let chain: OwnChain;
let proxy: ChainProxy;
let database: Database;
let databaseUrl: string;
let drop: () => Promise<void>;
let server: RunningServer | null = null;

interface ChainProxy {
  url: string;
  /** Where executions stop: before the chain hears of them, or before the server hears of the outcome. */
  hold: 'nothing' | 'request' | 'answer';
  /** Everything is answered this much later. */
  delayMs: number;
  held: number;
  close(): void;
}

/** Stands between server and chain, so that a test can stop the world between two steps. */
async function startProxy(target: string): Promise<ChainProxy> {
  const listener = createServer((incoming, outgoing) => {
    const isExecution = incoming.url?.endsWith('/ExecuteTransaction') ?? false;
    const holds = (at: ChainProxy['hold']) => isExecution && state.hold === at;
    if (holds('request')) {
      state.held += 1;
      return;
    }
    const onward = forward(
      target + (incoming.url ?? ''),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        if (holds('answer')) {
          state.held += 1;
          answer.resume();
          return;
        }
        setTimeout(() => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        }, state.delayMs);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const state: ChainProxy = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    hold: 'nothing',
    delayMs: 0,
    held: 0,
    close: () => (listener.closeAllConnections(), listener.close()),
  };
  return state;
}

interface RunningServer {
  url: string;
  child: ChildProcess;
}

/** The server as a process of its own, the way it runs in life. */
async function startServerProcess(): Promise<RunningServer> {
  const child = fork(path.resolve('server/main.ts'), {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'error',
      DATABASE_URL: databaseUrl,
      SUI_NETWORK: 'localnet',
      SUI_RPC_URL: proxy.url,
      SUI_FAUCET_URL: chain.faucetUrl,
      ADMIN_WALLET: ADMIN,
      ADMIN_PASSWORD: 'correct horse battery staple',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { url } = await readyMessage<{ url: string }>(child);
  return { url, child };
}

/** SIGKILL: nothing is finished, nothing is said. */
async function kill(running: RunningServer): Promise<void> {
  const gone = new Promise((resolve) => running.child.once('exit', resolve));
  running.child.kill('SIGKILL');
  await gone;
}

async function restart(): Promise<void> {
  proxy.hold = 'nothing';
  server = await startServerProcess();
}

beforeAll(async () => {
  chain = await startChain();
  proxy = await startProxy(chain.rpcUrl);
  const created = await createTestDatabase();
  databaseUrl = created.url;
  drop = created.drop;
  database = openDatabase(databaseUrl);
});
afterEach(async () => {
  if (server) await kill(server);
  server = null;
  proxy.hold = 'nothing';
  proxy.delayMs = 0;
  await chain.control({ down: false, indexDelayMs: 0 });
});
afterAll(async () => {
  await database.close();
  await drop();
  proxy.close();
  await chain.stop();
});

interface Story {
  running: RunningServer;
  user: TestUser;
  draft: ProjectDraft;
  adminBeforeMist: bigint;
}

async function begin(): Promise<Story> {
  const running = await startServerProcess();
  server = running;
  const user = await newUser(running, await fundedWallet(chain));
  return { running, user, draft: await newDraft(), adminBeforeMist: await balanceMist(chain, ADMIN) };
}

/** The same browser at a server that was started again. */
const backAt = ({ cookie, id, address, wallet }: TestUser, { url }: RunningServer): TestUser =>
  Object.assign(new Client(url), { cookie, id, address, wallet });

const stateOf = async (user: TestUser): Promise<string | undefined> =>
  (await database.db.selectFrom('payments').select('state').where('userId', '=', user.id).executeTakeFirst())?.state;

/** Takes away the pause before the next try. */
const hurry = (user: TestUser) =>
  database.db
    .updateTable('payments')
    .set({ nextTryAt: sql`now()` })
    .where('userId', '=', user.id)
    .execute();

/** The end of every story: listed once, paid once, told once. */
async function expectListedOnce({ user, draft, adminBeforeMist }: Story): Promise<void> {
  await vi.waitFor(async () => {
    await hurry(user);
    expect(await stateOf(user)).toBe('fulfilled');
  }, WAIT);
  const projects = await database.db.selectFrom('projects').selectAll().where('ownerId', '=', user.id).execute();
  expect(projects.map((project) => project.name)).toEqual([draft.name]);
  expect((await balanceMist(chain, ADMIN)) - adminBeforeMist).toBe(SUBMIT_FEE_MIST);
  const activity = await database.db.selectFrom('activity').select('kind').where('userId', '=', user.id).execute();
  expect(activity).toEqual([{ kind: 'project_submitted' }]);
}

describe('[R16] SIGKILL at each step between draft and fulfilment: listed exactly once, paid exactly once', () => {
  test('after the draft was stored, before the signature came', async () => {
    const story = await begin();
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
    await kill(story.running);
    await restart();
    if (!server) throw new Error('no server');
    const user = backAt(story.user, server);
    expect((await executeSigned(user, paymentId, signed)).status).toBe(200);
    expect((await submitPaid(user, story.draft, signed.digest)).status).toBe(201);
    await expectListedOnce(story);
  });

  test('after the signed transaction was stored, before the chain heard of it', async () => {
    const story = await begin();
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
    proxy.hold = 'request';
    const call = executeSigned(story.user, paymentId, signed).catch(() => 'cut off');
    await vi.waitFor(async () => expect(await stateOf(story.user)).toBe('signed'), WAIT);
    await kill(story.running);
    expect(await call).toBe('cut off');
    expect(await balanceMist(chain, ADMIN)).toBe(story.adminBeforeMist);
    await restart();
    await expectListedOnce(story);
  });

  test('after the chain executed it, before the server heard of that', async () => {
    const story = await begin();
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
    proxy.hold = 'answer';
    const call = executeSigned(story.user, paymentId, signed).catch(() => 'cut off');
    await vi.waitFor(
      async () => expect((await balanceMist(chain, ADMIN)) - story.adminBeforeMist).toBe(SUBMIT_FEE_MIST),
      WAIT,
    );
    await kill(story.running);
    expect(await call).toBe('cut off');
    expect(await stateOf(story.user)).toBe('signed');
    await restart();
    await expectListedOnce(story);
  });

  test('after it was paid, before the order was sent; the browser never comes back', async () => {
    const story = await begin();
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
    expect((await executeSigned(story.user, paymentId, signed)).status).toBe(200);
    expect(await stateOf(story.user)).toBe('paid');
    await kill(story.running);
    await restart();
    await expectListedOnce(story);
  });

  test('in the middle of the fulfilment', async () => {
    const story = await begin();
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
    await executeSigned(story.user, paymentId, signed);
    // Holds the last table that the fulfilment writes: its transaction has begun and cannot end.
    const locker = await database.pool.connect();
    await locker.query('BEGIN; LOCK TABLE activity IN ACCESS EXCLUSIVE MODE');
    const call = submitPaid(story.user, story.draft, signed.digest).catch(() => 'cut off');
    await vi.waitFor(async () => {
      const waiting = await locker.query(
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'activity'::regclass",
      );
      expect(waiting.rowCount).toBe(1);
    }, WAIT);
    await kill(story.running);
    expect(await call).toBe('cut off');
    await locker.query('ROLLBACK');
    locker.release();
    await restart();
    await expectListedOnce(story);
  });

  test('after the fulfilment, before the answer: the repeated order has the same answer', async () => {
    const story = await begin();
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
    await executeSigned(story.user, paymentId, signed);
    const first = await submitPaid(story.user, story.draft, signed.digest);
    await kill(story.running);
    await restart();
    if (!server) throw new Error('no server');
    const again = await submitPaid(backAt(story.user, server), story.draft, signed.digest);
    expect(again.body).toEqual(first.body);
    await expectListedOnce(story);
  });
});

describe('[R17] a chain that is late, slow or away: pending, finished later, never "not paid"', () => {
  const pending = {
    status: 202,
    body: { status: 'pending', message: expect.stringContaining('do not have to pay again') },
  };

  test('executed but not indexed yet', async () => {
    const story = await begin();
    await chain.control({ indexDelayMs: 600_000 });
    const digest = await pay(chain, story.user.wallet, SUBMIT_FEE_MIST);
    expect(await submitPaid(story.user, story.draft, digest)).toMatchObject(pending);
    const open = await story.user.get<Payment[]>('/api/payments');
    expect(open.body).toMatchObject([{ state: 'signed', transactionHash: digest }]);
    expect(await submitPaid(story.user, story.draft, digest)).toMatchObject(pending);
    await chain.control({ indexDelayMs: 0 });
    await expectListedOnce(story);
    expect((await submitPaid(story.user, story.draft, digest)).status).toBe(201);
  });

  test('down while a client that paid by itself sends its order', async () => {
    const story = await begin();
    const digest = await pay(chain, story.user.wallet, SUBMIT_FEE_MIST);
    await chain.control({ down: true });
    expect(await submitPaid(story.user, story.draft, digest)).toMatchObject(pending);
    await chain.control({ down: false });
    await expectListedOnce(story);
  });

  test('down while the server executes: the stored transaction is executed when the chain is back', async () => {
    const story = await begin();
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
    await chain.control({ down: true });
    expect(await executeSigned(story.user, paymentId, signed)).toMatchObject({
      status: 202,
      body: { status: 'pending', transactionHash: signed.digest },
    });
    expect(await submitPaid(story.user, story.draft, signed.digest)).toMatchObject(pending);
    await chain.control({ down: false });
    await expectListedOnce(story);
  });

  test('down when the server starts: orders are taken all the same', async () => {
    const { running, user, draft, adminBeforeMist } = await begin();
    const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
    await kill(running);
    await chain.control({ down: true });
    await restart();
    if (!server) throw new Error('no server');
    expect(await submitPaid(backAt(user, server), draft, digest)).toMatchObject(pending);
    await chain.control({ down: false });
    await expectListedOnce({ running: server, user, draft, adminBeforeMist });
  });

  test('so slow that the server stops waiting for the outcome of an execution', async () => {
    const story = await begin();
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
    proxy.delayMs = 20_000;
    expect(await executeSigned(story.user, paymentId, signed)).toMatchObject({ status: 202 });
    proxy.delayMs = 0;
    await expectListedOnce(story);
  });
});

test('[R17] what never appears on chain is given up after a day, and says so; a chain that is away does not count', async () => {
  const story = await begin();
  const signed = await signPayment(chain, story.user.wallet, SUBMIT_FEE_MIST);
  await submitPaid(story.user, story.draft, signed.digest);
  const dayLater = () =>
    database.db
      .updateTable('payments')
      .set({ signedAt: sql`now() - interval '25 hours'`, nextTryAt: sql`now()` })
      .where('userId', '=', story.user.id)
      .returning('tries')
      .executeTakeFirst();
  await chain.control({ down: true });
  const before = await dayLater();
  await vi.waitFor(async () => {
    const row = await database.db
      .selectFrom('payments')
      .select(['tries', 'state'])
      .where('userId', '=', story.user.id)
      .executeTakeFirst();
    expect(row?.tries).toBeGreaterThan(before?.tries ?? 0);
    expect(row?.state).toBe('signed');
  }, WAIT);
  await chain.control({ down: false });
  await dayLater();
  await vi.waitFor(async () => expect(await stateOf(story.user)).toBe('failed'), WAIT);
  expect((await story.user.get<Payment[]>('/api/payments')).body).toMatchObject([
    { note: 'The transaction did not appear on chain within 24 hours' },
  ]);
});
