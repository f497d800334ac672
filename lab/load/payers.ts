import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#db/client.ts';
import { RENEW_FEE_MIST } from '#shared/constants.ts';
import { insertProjects } from '../testing/builders.ts';
import { balanceMist, chainAt, fund, fundedWallet, signPayment, type TestChain } from '../testing/chain.ts';
import type { Stack } from '../stack.ts';
import { newUser, type TestResponse, type TestUser } from '../testing/client.ts';
import type { Prepared } from '../testing/drafts.ts';
import { ADMIN_KEYPAIR } from '../testing/wallets.ts';

const PAUSE_MS = 400;
const BETWEEN_RENEWALS_MS = 1_200;
const PATIENCE_MS = 60_000;
const RECOVERY_MS = 90_000;
/** An owner below this balance uses the faucet: enough for the renewals that may be in flight. */
const LEAST_MIST = 20n * RENEW_FEE_MIST;
const COINS_PER_FUNDING = 3;

/** Listings of each owner, renewed in turn because renewals of one listing are limited. */
const PROJECTS_EACH = 8;

/** Owners who renew their listings repeatedly, as their pages do: prepare, sign, execute, place. */
export class Payers {
  /** Digests that a server got for execution. */
  readonly given = new Set<string>();
  readonly serverErrors: number[] = [];
  /** Reasons of renewals that were not paid, such as a lack of SUI. */
  readonly problems = new Set<string>();
  private readonly chain: TestChain;
  private readonly db: Db;
  private readonly owners: { user: TestUser; projectIds: number[] }[] = [];

  private constructor(stack: Stack) {
    this.chain = chainAt(stack);
    this.db = stack.client.db;
  }

  static async begin(stack: Stack, count: number): Promise<Payers> {
    const payers = new Payers(stack);
    for (let at = 0; at < count; at += 1) {
      const wallet = await fundedWallet(payers.chain);
      await fund(payers.chain, wallet.toSuiAddress(), 4);
      const url = stack.servers[at % 2 === 0 ? 0 : 1].url;
      const user = await newUser({ url }, wallet);
      payers.owners.push({ user, projectIds: await insertProjects(payers.db, PROJECTS_EACH, { ownerId: user.id }) });
    }
    return payers;
  }

  /** Retries until the server accepts, like a page with a retry button; null when the time is over. */
  private async insist<T>(call: () => Promise<TestResponse<T>>, signal: AbortSignal): Promise<TestResponse<T> | null> {
    const untilMs = performance.now() + PATIENCE_MS;
    while (performance.now() < untilMs) {
      const response = await call().catch(() => null);
      if (response && response.status >= 500) this.serverErrors.push(response.status);
      if (response && response.status >= 200 && response.status < 300 && response.status !== 202) return response;
      if (signal.aborted) return null;
      await sleep(PAUSE_MS);
    }
    return null;
  }

  private async renew(user: TestUser, projectId: number, signal: AbortSignal): Promise<void> {
    const order = { purpose: 'renew', projectId };
    const prepared = await this.insist(() => user.post<Prepared>('/api/payments', order), signal);
    if (!prepared) return;
    if ((await balanceMist(this.chain, user.address)) < LEAST_MIST)
      await fund(this.chain, user.address, COINS_PER_FUNDING);
    const signed = await signPayment(this.chain, user.wallet, RENEW_FEE_MIST, ADMIN_KEYPAIR.toSuiAddress());
    const { bytes, signature, digest } = signed;
    this.given.add(digest);
    const path = `/api/payments/${prepared.body.paymentId}/execute`;
    if (!(await this.insist(() => user.post(path, { bytes, signature }), signal))) return;
    await this.insist(() => user.post(`/api/projects/${projectId}/renew`, { transactionHash: digest }), signal);
  }

  async payUntil(signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.owners.map(async ({ user, projectIds }) => {
        for (let turn = 0; !signal.aborted; turn += 1) {
          const projectId = projectIds[turn % projectIds.length] ?? 0;
          await this.renew(user, projectId, signal).catch((error: Error) => this.problems.add(error.message));
          await sleep(BETWEEN_RENEWALS_MS);
        }
      }),
    );
  }

  /** Waits for the recovery, and compares the chain's money, the payments and the listings. */
  async findDifferences(): Promise<string[]> {
    const untilMs = performance.now() + RECOVERY_MS;
    const open = () =>
      this.db
        .selectFrom('payments')
        .select('id')
        .where('state', 'in', ['signed', 'paid'])
        .where('transaction', 'is not', null)
        .execute();
    while ((await open()).length > 0 && performance.now() < untilMs) await sleep(1_000);
    const found: string[] = [];
    for (const { id } of await open()) found.push(`payment ${id} has come to no end`);
    const ids = this.owners.map(({ user }) => user.id);
    const done = await this.db
      .selectFrom('payments')
      .select(['digest', 'projectId', 'receivedMist'])
      .where('userId', 'in', ids)
      .where('state', '=', 'fulfilled')
      .execute();
    const received = done.reduce((sum, row) => sum + BigInt(row.receivedMist ?? 0), 0n);
    const onChain = await balanceMist(this.chain, ADMIN_KEYPAIR.toSuiAddress());
    if (received !== onChain) found.push(`the recipient holds ${onChain} MIST, fulfilled payments say ${received}`);
    if (new Set(done.map(({ digest }) => digest)).size !== done.length) found.push('a digest was fulfilled twice');
    return [...found, ...(await this.findShortListings(done))];
  }

  private async findShortListings(done: { projectId: number | null }[]): Promise<string[]> {
    const ids = this.owners.flatMap(({ projectIds }) => projectIds);
    const rows = await this.db
      .selectFrom('projects')
      .select(['id', 'createdAt', 'expiresAt'])
      .where('id', 'in', ids)
      .execute();
    return rows.flatMap(({ id, createdAt, expiresAt }) => {
      const renewals = done.filter(({ projectId }) => projectId === id).length;
      const days = (expiresAt.getTime() - createdAt.getTime()) / 86_400_000;
      const paid = 31 * (1 + renewals);
      return Math.abs(days - paid) < 0.01 ? [] : [`project ${id} is listed for ${days} days, paid for ${paid}`];
    });
  }
}
