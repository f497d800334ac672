import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, openDatabase } from '#db/client.ts';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import type { Child } from '#ops/process/children.ts';
import { forkServer } from '#ops/serve/server.ts';
import { serverSettings } from '../settings.ts';
import { createTestDatabase, type TestDatabase } from './app.ts';
import { fundedWallet, type TestChain } from './chain.ts';
import { type ChainProxy, startChainProxy } from './chain-proxy.ts';
import { Client, type ClientRequest, signIn, type TestUser } from './client.ts';
import { newWallet } from './wallets.ts';

const BUSY = new Set(['busy', 'pictures_busy', 'uploads_busy']);

/**
 * Retries when the server is too busy, like a page: here it has its production protections, and many tests run at the
 * same time.
 */
class PatientClient extends Client {
  protected override async request(address: string, request: ClientRequest): Promise<Response> {
    const response = await super.request(address, request);
    if (response.status !== 503) return response;
    const { error } = (await response.clone().json()) as { error: string };
    if (!BUSY.has(error)) return response;
    await sleep(1_000 * Number(response.headers.get('retry-after')));
    return this.request(address, request);
  }
}

export class TestEnvironment<Chain extends TestChain = TestChain> {
  readonly chain: Chain;
  readonly proxy: ChainProxy;
  readonly database: Database;
  admin = newWallet().toSuiAddress();
  private readonly created: TestDatabase;
  private server: Child | null = null;

  private constructor(chain: Chain, proxy: ChainProxy, created: TestDatabase) {
    this.chain = chain;
    this.proxy = proxy;
    this.created = created;
    this.database = openDatabase(created.url, { maxConnections: 4 });
  }

  static async begin<Chain extends TestChain>(chain: Chain): Promise<TestEnvironment<Chain>> {
    const proxy = await startChainProxy(chain.rpcUrl);
    const environment = new TestEnvironment(chain, proxy, await createTestDatabase());
    await environment.start();
    return environment;
  }

  async end(): Promise<void> {
    await this.kill();
    await this.database.close();
    await this.created.drop();
    this.proxy.close();
  }

  private async start(): Promise<void> {
    const env = {
      ...inheritedEnv(),
      ...serverSettings(this.created.url, { rpcUrl: this.proxy.url, faucetUrl: this.chain.faucetUrl }),
      NODE_ENV: 'development',
      LOG_LEVEL: 'error',
      ADMIN_WALLET: this.admin,
    };
    this.server = await forkServer({ env, quiet: true });
  }

  get url(): string {
    if (!this.server) throw new Error('no server');
    return String(this.server.ready.url);
  }

  async kill(): Promise<void> {
    this.server?.kill?.();
    await this.server?.exited;
    this.server = null;
  }

  /**
   * Starts the server again, with another admin wallet if given, late enough that its jobs are due; restores its
   * connection to the chain.
   */
  async restart(admin = this.admin): Promise<void> {
    this.admin = admin;
    this.proxy.heal();
    await this.database.db.deleteFrom('jobRuns').execute();
    await this.database.db
      .updateTable('payments')
      .set({ nextTryAt: sql`now()` })
      .execute();
    await this.start();
  }

  async stopRecovery(): Promise<void> {
    const run = { name: 'recover-payments', startedAt: sql<Date>`now() + interval '1 day'` };
    await this.database.db
      .insertInto('jobRuns')
      .values(run)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(run))
      .execute();
  }

  newPayer = async (): Promise<TestUser> => signIn(new PatientClient(this.url), await fundedWallet(this.chain));

  back = ({ cookie, id, address, wallet }: TestUser): TestUser =>
    Object.assign(new PatientClient(this.url), { cookie, id, address, wallet });
}
