import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { recoverPayments } from '#server/money/payments/recover.ts';
import { startServer, type TestApp } from '../testing/app.ts';
import { grantTokens, insertProject } from '../testing/builders.ts';
import { fundedWallet, type TestChain } from '../testing/chain.ts';
import { newUser, type TestUser } from '../testing/client.ts';
import { letStand } from '../testing/standing.ts';
import { type AdminPanel, signInAsAdmin } from '../testing/admin-panel.ts';
import { newWallet } from '../testing/wallets.ts';
import { Model } from './model.ts';

const USERS = 3;
const TOKENS = 12_000;
/** A vote is never too old to be undone. */
const UNDO_WINDOW_MS = 86_400_000;

/** One run: its own users, projects and admin, on a server that can be replaced by another one. */
export class Scenario {
  readonly model = new Model();
  readonly recipient: string;
  readonly chain: TestChain;
  panel: AdminPanel;
  private server: TestApp;
  private readonly env: Record<string, string>;
  private users: TestUser[] = [];
  readonly projects: number[] = [];
  private readonly adminKey: ReturnType<typeof newWallet>;

  private constructor(
    chain: TestChain,
    server: TestApp,
    admin: { env: Record<string, string>; key: ReturnType<typeof newWallet>; panel: AdminPanel },
  ) {
    this.chain = chain;
    this.server = server;
    this.env = admin.env;
    this.adminKey = admin.key;
    this.panel = admin.panel;
    this.recipient = admin.key.toSuiAddress();
  }

  static async begin(chain: TestChain, databaseUrl: string): Promise<Scenario> {
    const key = newWallet();
    const env = { ADMIN_WALLET: key.toSuiAddress() };
    const server = await startServer(databaseUrl, { env, undoWindowMs: UNDO_WINDOW_MS });
    const scenario = new Scenario(chain, server, { env, key, panel: await signInAsAdmin(server, key) });
    await scenario.fill();
    return scenario;
  }

  private async fill(): Promise<void> {
    for (let at = 0; at < USERS; at += 1) {
      const user = await newUser(this.server, await fundedWallet(this.chain));
      await grantTokens(this.db, user.id, TOKENS);
      this.model.earn(user.id, TOKENS);
      this.users.push(user);
      if (this.stands(user)) await letStand(this.db, user.id);
      this.projects.push(await insertProject(this.db, { ownerId: user.id }));
    }
  }

  get db(): Db {
    return this.server.services.db;
  }

  get services(): TestApp['services'] {
    return this.server.services;
  }

  get userIds(): number[] {
    return this.users.map(({ id }) => id);
  }

  stands(user: TestUser): boolean {
    return user !== this.users[0];
  }

  userAt(at: number): TestUser {
    return pick(this.users, at);
  }

  projectAt(at: number): number {
    return pick(this.projects, at);
  }

  ownProjectOf(user: TestUser): number {
    return pick(this.projects, this.users.indexOf(user));
  }

  /** Another process takes over, with only the database's content; its jobs find everything due. */
  async crash(): Promise<void> {
    const left = this.server;
    this.server = await startServer(left.databaseUrl, { env: this.env, undoWindowMs: UNDO_WINDOW_MS });
    // Users keep their objects and cookies, because orders point to them.
    for (const user of this.users) Object.assign(user, { url: this.server.url });
    await left.close();
    this.panel = await signInAsAdmin(this.server, this.adminKey);
    await this.runJobs();
  }

  async runJobs(): Promise<void> {
    await sql`UPDATE payments SET next_try_at = now() WHERE state IN ('signed', 'paid')`.execute(this.db);
    await recoverPayments(this.services);
  }

  async end(): Promise<void> {
    await this.server.close();
  }
}

function pick<T>(items: readonly T[], at: number): T {
  const item = items[at % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
