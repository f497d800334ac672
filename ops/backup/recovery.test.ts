import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { buildPay } from '#chain/book.ts';
import { migrate } from '#db/migrate.ts';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { PreparedPayout, SentPayout } from '#shared/contract/payouts.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { settlePayouts } from '#server/money/payouts/settle.ts';
import { type AdminPanel, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { startServer, type TestApp } from '#lab/testing/app.ts';
import { makeBook } from '#lab/testing/book.ts';
import { grantTokens, insertProjects } from '#lab/testing/builders.ts';
import { balanceMist, fund, fundedWallet, pay, type OwnChain, startChain } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { newDraft, submitPaid } from '#lab/testing/drafts.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded.ts';
import { finishRestore } from './after-restore.ts';
import { compareContents, type Contents, readDatabaseContents } from './contents.ts';
import { type Keeper, pgBackRestKeeper } from '#lab/testing/keepers.ts';

/* `npm run drill`: a restore to an earlier moment with pgBackRest, a real chain and real signatures. */
const BIN_DIR = process.env.TEST_POSTGRES_BIN ?? '';
const VOTERS = 40;
const POINT = 'moment';
/** The test copies files, and starts a whole database server again. */
const SET_UP_TIMEOUT_MS = 5 * 60_000;

const SNAPS = 60;

describe.skipIf(process.env.DRILL !== 'true')('a restore to an earlier moment', () => {
  let folder: string;
  let keeper: Keeper;
  let chain: OwnChain;
  let primary: EmbeddedPostgres;
  let restored: EmbeddedPostgres;
  let server: TestApp;
  let panel: AdminPanel;
  let env: Record<string, string>;
  let coin: { coinType: string; unit: bigint };
  let atMoment: Contents;
  let moment: Date;
  /** Users who withdraw, by the state of their withdrawal at the moment. */
  const payees = new Map<string, TestUser>();
  const adminKey = newWallet();

  /** Stopped after the tests, the last one first; each once. */
  const closers: Array<() => Promise<void>> = [];
  function closeLater(close: () => Promise<void>): () => Promise<void> {
    let closing: Promise<void> | undefined;
    const once = () => (closing ??= close());
    closers.push(once);
    return once;
  }

  async function start(name: string, settings: Record<string, string>): Promise<EmbeddedPostgres> {
    const dataDir = path.join(folder, name);
    const started = await startEmbeddedPostgres({ dataDir, binDir: BIN_DIR, settings });
    return { ...started, stop: closeLater(() => started.stop()) };
  }

  async function serve(databaseUrl: string): Promise<TestApp> {
    const started = await startServer(databaseUrl, { env });
    return { ...started, close: closeLater(() => started.close()) };
  }

  const snapsOf = async (owner: string): Promise<number> => {
    const { balance } = await chain.client.core.getBalance({ owner, coinType: coin.coinType });
    return Number(BigInt(balance.balance) / coin.unit);
  };

  /** Chain, database server with an archive, product, admin with Snaps and SUI. */
  async function openSite(): Promise<void> {
    chain = await startChain();
    closeLater(() => chain.stop());
    const { accounts, demoCoin } = await fetchDemoAccounts(chain.faucetUrl);
    coin = { coinType: demoCoin.coinType, unit: 10n ** BigInt(demoCoin.decimals) };
    primary = await start('primary', keeper.settings);
    await migrate(primary.url);
    env = {
      SUI_RPC_URL: chain.rpcUrl,
      SUI_FAUCET_URL: chain.faucetUrl,
      ADMIN_WALLET: adminKey.toSuiAddress(),
      SNAPS_COIN_TYPE: demoCoin.coinType,
      SNAPS_DECIMALS: String(demoCoin.decimals),
    };
    const treasury = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
    await fund(chain, adminKey.toSuiAddress(), 2);
    const transaction = new Transaction();
    const snaps = coinWithBalance({ type: coin.coinType, balance: 100_000n * coin.unit });
    transaction.transferObjects([snaps], adminKey.toSuiAddress());
    await chain.client.signAndExecuteTransaction({ transaction, signer: treasury });
    env.SNAPS_BOOK = (await makeBook(chain.client, adminKey, { coinType: coin.coinType })).id;
    server = await serve(primary.url);
    await settlePayouts(server.services);
    panel = await signInAsAdmin(server, adminKey);
  }

  /** Each of this many new users votes on the projects. */
  async function castVotes(projects: readonly number[]): Promise<void> {
    for (let n = 0; n < VOTERS; n += 1) {
      const user = await newUser(server);
      for (const projectId of projects) {
        const vote = { userId: user.id, projectId, voteType: n % 3 === 0 ? 'bearish' : 'bullish' };
        expectStatus(await user.post('/api/votes', vote), 200);
      }
    }
  }

  async function listProject(): Promise<void> {
    const user = await newUser(server, await fundedWallet(chain));
    const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST, adminKey.toSuiAddress());
    expectStatus(await submitPaid(user, await newDraft(), digest), 201);
  }

  function expectStatus<T>(response: { status: number; body: T }, status: number): T {
    if (response.status !== status) throw new Error(`${response.status}: ${JSON.stringify(response.body)}`);
    return response.body;
  }

  async function newPayee(name: string): Promise<TestUser> {
    const user = await newUser(server);
    await grantTokens(server.services.db, user.id, 2 * SNAPS);
    payees.set(name, user);
    return user;
  }

  async function request(user: TestUser): Promise<number> {
    const body = { userId: user.id, walletAddress: user.address, tokenAmount: SNAPS };
    return expectStatus(await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', body), 201).withdrawal.id;
  }
  const approve = async (id: number) => expectStatus(await panel.post(`/api/admin/withdrawals/${id}/approve`), 200);
  const prepare = (id: number) => panel.post<PreparedPayout>('/api/admin/payouts', { withdrawalIds: [id] });

  async function send({ book, sender, due, withdrawalIds }: PreparedPayout) {
    const units = due.map(({ account, total, atMost }) => ({ account, total: BigInt(total), atMost: BigInt(atMost) }));
    const transaction = await buildPay(chain.client, { book, sender, due: units });
    const signed = await adminKey.signTransaction(await transaction.build({ client: chain.client }));
    return panel.post<SentPayout>('/api/admin/payouts/send', { withdrawalIds, signed });
  }

  const payOut = async (id: number) => {
    expect(expectStatus(await send(expectStatus(await prepare(id), 200)), 200).paidIds).toEqual([id]);
  };

  /** The moment is among votes, payments, and withdrawals in every state. A restore forgets the payouts after it. */
  async function liveThroughMoment(): Promise<void> {
    const projects = await insertProjects(server.services.db, 3);
    const [paid, prepared, approved, requested, unpaid, later] = [
      await newPayee('paid'),
      await newPayee('prepared'),
      await newPayee('approved'),
      await newPayee('requested'),
      await newPayee('never paid'),
      await newPayee('requested later'),
    ];
    await listProject();
    await castVotes(projects.slice(0, 2));
    const ids = [await request(paid), await request(prepared), await request(approved), await request(unpaid)];
    for (const id of ids) await approve(id);
    await payOut(ids[0] ?? 0);
    const payout = expectStatus(await prepare(ids[1] ?? 0), 200);
    const requestedId = await request(requested);

    await server.allNotified();
    atMoment = await readDatabaseContents(primary.url);
    moment = await markMoment(primary.url);

    await castVotes(projects);
    await listProject();
    expect(expectStatus(await send(payout), 200).paidIds).toEqual([ids[1]]);
    await payOut(ids[2] ?? 0);
    await approve(requestedId);
    await payOut(requestedId);
    const laterId = await request(later);
    await approve(laterId);
    await payOut(laterId);
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-recovery-'));
    await chmod(folder, 0o755);
    keeper = await pgBackRestKeeper(folder);
    await openSite();
    const kept = { url: primary.url, port: primary.port, clusterDir: path.join(folder, 'primary', 'cluster') };
    await keeper.backup(kept);
    await liveThroughMoment();
    await archiveAll(primary.url);
    await server.close();
    await primary.stop();
    await mkdir(path.join(folder, 'restored'), { mode: 0o755 });
    await cp(path.join(folder, 'primary', 'password'), path.join(folder, 'restored', 'password'));
    restored = await start('restored', await keeper.restore(POINT, path.join(folder, 'restored', 'cluster')));
    await recoveryEnds(restored.url);
  }, SET_UP_TIMEOUT_MS);
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('a restore to an earlier moment brings every table back as it was, and no user is paid twice afterwards [R56]', async () => {
    const differences = compareContents(atMoment, await readDatabaseContents(restored.url));
    expect(differences).toEqual([]);
    expect(await finishRestore(restored.url, moment, false)).toEqual({ differences: [], record: 'goes on' });
    const received = await sumOfPayees();
    expect(received).toEqual({
      paid: 60,
      prepared: 60,
      approved: 60,
      requested: 60,
      'never paid': 0,
      'requested later': 60,
    });

    server = await serve(restored.url);
    panel = await signInAsAdmin(server, adminKey);
    await payEverythingThatSeemsDue();
    const after = await sumOfPayees();
    expect(after).toEqual({ ...received, 'never paid': 60 });
    // The request after the moment is lost: its wallet is paid ahead, and asks for it again.
    expect(await ledgerOfPayees()).toEqual({ ...after, 'requested later': 0 });
    const later = payees.get('requested later');
    if (later) await approve(await request(await newUser(server, later.wallet)));
    expect(await settlePayouts(server.services)).toHaveLength(1);
    expect(await sumOfPayees()).toEqual(after);
    expect(await findDifferences(server.services.db)).toEqual([]);
    await castVotes(await insertProjects(server.services.db, 1));
    await report(differences);
  });

  const sumOfPayees = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      await Promise.all([...payees].map(async ([name, { address }]) => [name, await snapsOf(address)] as const)),
    );

  /** Amount paid to each user by the ledger. */
  async function ledgerOfPayees(): Promise<Record<string, number>> {
    const { db } = server.services;
    const paid = await db.selectFrom('tokenLedger').select(['userId', 'amount']).where('kind', '=', 'payout').execute();
    return Object.fromEntries(
      [...payees].map(([name, { id }]) => [
        name,
        paid.filter(({ userId }) => userId === id).reduce((sum, { amount }) => sum - amount, 0),
      ]),
    );
  }

  /**
   * An operator who does not know of the restore: approves all requests, and pays all approved ones.
   */
  async function payEverythingThatSeemsDue(): Promise<void> {
    const { db } = server.services;
    for (const { id } of await db.selectFrom('withdrawals').select('id').where('state', '=', 'requested').execute())
      await panel.post(`/api/admin/withdrawals/${id}/approve`);
    await settlePayouts(server.services);
    for (const { id } of await db.selectFrom('withdrawals').select('id').where('state', '=', 'approved').execute()) {
      const { status, body } = await prepare(id);
      if (status === 200) await send(body);
    }
  }

  async function report(differences: readonly string[]): Promise<void> {
    const rows = Object.values(atMoment).reduce((sum, table) => sum + table.rows, 0);
    const lines = [
      `tables compared: ${Object.keys(atMoment).length}, rows: ${rows}, by pgBackRest`,
      `differences in any table: ${differences.length}`,
      `withdrawals paid before or after the moment: ${payees.size}, paid twice: 0`,
      `SUI of the admin wallet on chain: ${(await balanceMist(chain, adminKey.toSuiAddress())) / 1_000_000_000n}`,
    ];
    console.log(lines.map((line) => `  ${line}`).join('\n'));
  }
});

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Gives the present moment a name in PostgreSQL's log. */
const markMoment = (url: string): Promise<Date> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ now: Date }>(
      `SELECT clock_timestamp() AS now, pg_create_restore_point('${POINT}')`,
    );
    return rows[0]?.now ?? new Date(0);
  });

/** Waits until all current commits are in the archive. */
const archiveAll = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await untilTrue(client, `SELECT FROM pg_stat_archiver WHERE last_archived_wal >= '${rows[0]?.file}'`);
  });

/** A server accepts readers before it reaches the target. */
const recoveryEnds = (url: string): Promise<void> =>
  withClient(url, (client) => untilTrue(client, 'SELECT WHERE NOT pg_is_in_recovery()'));

const untilTrue = (client: pg.Client, query: string): Promise<void> =>
  vi.waitFor(async () => expect((await client.query(query)).rowCount).toBe(1), { timeout: 20_000, interval: 50 });
