/**
 * Payouts by key (R79) while servers and database are killed, the chain fails in every way, and the database is restored
 * to a moment before its newest payouts. In the end, the chain has paid every withdrawal once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { sql } from 'kysely';
import pg from 'pg';
import { createSuiClient } from '#chain/client.ts';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { type ApprovedWithdrawal, insertApproved } from '../testing/approved-withdrawals.ts';
import { makeBook } from '../testing/book.ts';
import { emptyIntoBalance, sendFunds } from '#packages/sandbox/testing/own-coins.ts';
import { letStand } from '../testing/standing.ts';
import { newWallet } from '../testing/wallets.ts';
import { WITHOUT_RATE_LIMITS } from '../settings.ts';
import { type Stack, startStack } from '../stack.ts';

const SNAPS = 60;
/** Withdrawals that meet one failure. */
const PER_WAVE = 10;
/** A failure lasts this long: a round of payouts begins every ten seconds. */
const FAILURE_MS = 12_000;
/** Time in which everything is paid after a failure: the server pays again after a minute. */
const CALM_MS = 180_000;
const LOOK_MS = 1_000;
/** While withdrawals wait, the epoch ends each time this has passed. */
const EPOCH_MS = 40_000;

/** How the wallet owns Snaps and gas: in coins, in both forms, or in the address balance alone. */
const FORMS = ['coins', 'mixed', 'none'] as const;
type Form = (typeof FORMS)[number];

interface PayoutsResult {
  withdrawals: number;
  paid: number;
  doubled: number;
  lost: number;
  /** Withdrawals paid on the chain but not in the books. */
  unknown: number;
  /** Withdrawals paid on the chain whose payout a restore took out of the books. */
  forgotten: number;
  failures: Record<string, number>;
  seconds: number;
}

async function openSite(lifecycle: Lifecycle, withdrawals: number) {
  const key = newWallet();
  const recipient = key.toSuiAddress();
  const stack = await startStack(lifecycle, { ...WITHOUT_RATE_LIMITS, STANDING_MIN_DAYS: '0' });
  const { accounts, demoCoin } = await fetchDemoAccounts(stack.faucetUrl);
  const { coinType } = demoCoin;
  const unit = 10n ** BigInt(demoCoin.decimals);
  const sui = createSuiClient({ network: 'localnet', url: stack.rpcUrl });
  const treasury = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
  const sender = treasury.toSuiAddress();
  for (const wallet of [recipient, sender]) await requestSuiFromFaucetV2({ host: stack.faucetUrl, recipient: wallet });
  const give = async (snaps: number, isCoin: boolean) => {
    const amount = BigInt(snaps) * unit;
    const transaction = isCoin ? new Transaction() : sendFunds(sender, { coinType, amount, recipient });
    if (isCoin) transaction.transferObjects([coinWithBalance({ type: coinType, balance: amount })], recipient);
    await sui.signAndExecuteTransaction({ transaction, signer: treasury });
  };
  await give(2 * withdrawals * SNAPS, false);
  /** Puts what the wallet pays next into this form. */
  const hold = async (form: Form) => {
    if (form === 'none') return emptyIntoBalance(sui, key, { coinType, rest: sender });
    await requestSuiFromFaucetV2({ host: stack.faucetUrl, recipient });
    await give((PER_WAVE * SNAPS) / (form === 'mixed' ? 2 : 1), true);
  };
  const endEpoch = () =>
    fetch(`${stack.faucetUrl}/control`, { method: 'POST', body: JSON.stringify({ endEpoch: true }) });
  const book = await makeBook(sui, treasury, { coinType, payers: [recipient] });
  const env = {
    SNAPS_COIN_TYPE: coinType,
    SNAPS_BOOK: book.id,
    SNAPS_DECIMALS: String(demoCoin.decimals),
    PAYOUT_PRIVATE_KEY: key.getSecretKey(),
    PAYOUT_DAILY_MAX_SNAPS: String(2 * withdrawals * SNAPS),
  };
  const kill = () => Promise.all(stack.servers.map((server) => server.kill()));
  const start = () => Promise.all(stack.servers.map((server) => server.start(env)));
  await kill();
  await start();
  const snapsOf = async (owner: string) =>
    Number(BigInt((await sui.core.getBalance({ owner, coinType })).balance.balance) / unit);
  return { stack, db: stack.client.db, kill, start, snapsOf, hold, endEpoch };
}
type Site = Awaited<ReturnType<typeof openSite>>;

const snapsOfAll = (site: Site, wave: readonly ApprovedWithdrawal[]): Promise<number[]> =>
  Promise.all(wave.map(({ walletAddress }) => site.snapsOf(walletAddress)));

async function addWave({ db }: Site, size: number): Promise<ApprovedWithdrawal[]> {
  const wallets = Array.from({ length: size }, () => newWallet().toSuiAddress());
  const added = await insertApproved(db, wallets, () => SNAPS);
  await letStand(db, ...added.map(({ userId }) => userId));
  return added;
}

/** Statements about whole databases, for which nothing else may be connected. */
async function replaceDatabase({ stack }: Site, ...statements: readonly string[]): Promise<void> {
  const url = new URL(stack.database.url);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const statement of statements) {
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ($1) AND pid <> pg_backend_pid()',
        [[name, EARLIER]],
      );
      await client.query(statement.replaceAll('$name', name));
    }
  } finally {
    await client.end();
  }
}
const EARLIER = 'earlier';
/** Copies files: after a crash, the sequences of a copy by the log would repeat their numbers. */
const COPY = 'STRATEGY file_copy TEMPLATE';

/** Loses the payout of the wave from the books. Returns how many of its withdrawals the chain has paid. */
async function restore(site: Site, wave: readonly ApprovedWithdrawal[]): Promise<number> {
  await site.kill();
  await replaceDatabase(site, `DROP DATABASE IF EXISTS ${EARLIER}`, `CREATE DATABASE ${EARLIER} ${COPY} $name`);
  await site.start();
  const last = wave.at(-1)?.walletAddress ?? '';
  const untilMs = performance.now() + CALM_MS;
  const endsMs = performance.now() + EPOCH_MS;
  for (let isEnded = false; performance.now() < untilMs && (await site.snapsOf(last)) === 0;) {
    if (!isEnded && performance.now() > endsMs) isEnded = (await site.endEpoch()).ok;
    await sleep(LOOK_MS / 10);
  }
  await site.kill();
  const forgotten = (await snapsOfAll(site, wave)).filter((snaps) => snaps > 0).length;
  await replaceDatabase(site, 'DROP DATABASE $name', `CREATE DATABASE $name ${COPY} ${EARLIER}`);
  await site.start();
  return forgotten;
}

async function away({ stack: { chain } }: Site, ...ways: Array<Parameters<Stack['chain']['fail']>>): Promise<void> {
  for (const way of ways) chain.fail(...way);
  await sleep(FAILURE_MS);
  chain.heal();
}

const FAILURES: Record<string, (site: Site, wave: readonly ApprovedWithdrawal[]) => Promise<number | void>> = {
  'servers killed': async (site) => {
    for (let kill = 0; kill < 3; kill += 1) {
      await sleep(FAILURE_MS / 3);
      await site.kill();
      await site.start();
    }
  },
  'response to the payout lost': (site) => away(site, ['execute', 'cut', { isDone: true }]),
  restored: restore,
  'chain silent': (site) => away(site, ['all', 'silence']),
  'database killed': async ({ stack: { database } }) => {
    await sleep(FAILURE_MS / 2);
    await database.kill();
    await database.start();
  },
  'node behind': async ({ stack: { chain } }) => {
    chain.isBehind = true;
    await sleep(FAILURE_MS * 6);
    chain.heal();
  },
  'payout refused': (site) => away(site, ['execute', 'unavailable']),
  'payout refused, then executed': (site) => away(site, ['execute', 'refused', { laterMs: FAILURE_MS / 2 }]),
  'restored again': restore,
  'response and look-ups lost': (site) => away(site, ['execute', 'cut', { isDone: true }], ['lookUp', 'deadline']),
};

async function waitUntilPaid(site: Site, asked: readonly ApprovedWithdrawal[]): Promise<number> {
  const ids = asked.map(({ id }) => id);
  const untilMs = performance.now() + CALM_MS;
  let endsMs = performance.now() + EPOCH_MS;
  for (;;) {
    const { rows } = await sql<{ paid: number }>`
      SELECT count(*)::int AS paid FROM withdrawals WHERE id = ANY (${ids}::bigint[]) AND state = 'paid'`.execute(
      site.db,
    );
    const paid = rows[0]?.paid ?? 0;
    if (paid === ids.length || performance.now() > untilMs) return paid;
    if (performance.now() > endsMs) {
      await site.endEpoch();
      endsMs += EPOCH_MS;
    }
    await sleep(LOOK_MS);
  }
}

export async function runPayouts(
  lifecycle: Lifecycle,
  { withdrawals, log }: { withdrawals: number; log: (line: string) => void },
): Promise<PayoutsResult> {
  const startedMs = performance.now();
  const site = await openSite(lifecycle, withdrawals);
  const asked: ApprovedWithdrawal[] = [];
  const failures: Record<string, number> = {};
  const names = Object.keys(FAILURES);
  let paid = 0;
  let forgotten = 0;
  for (let round = 0; asked.length < withdrawals; round += 1) {
    const form = FORMS[(round + Math.floor(round / names.length)) % FORMS.length] ?? 'mixed';
    await site.hold(form);
    const wave = await addWave(site, PER_WAVE);
    asked.push(...wave);
    const name = names[round % names.length] ?? '';
    forgotten += (await FAILURES[name]?.(site, wave)) ?? 0;
    failures[name] = (failures[name] ?? 0) + 1;
    // Otherwise the next failure would meet this payout.
    paid = await waitUntilPaid(site, asked);
    log(`  ${asked.length} of ${withdrawals} asked for, ${paid} paid, ${name}, ${form}`);
  }
  const got = await snapsOfAll(site, asked);
  return {
    withdrawals: asked.length,
    paid,
    doubled: got.filter((snaps) => snaps > SNAPS).length,
    lost: got.filter((snaps) => snaps < SNAPS).length,
    unknown: Math.max(0, got.filter((snaps) => snaps > 0).length - paid),
    forgotten,
    failures,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
  };
}
