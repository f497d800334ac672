import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { Payment } from '#shared/contract/payments.ts';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { findPayment } from './queries.ts';
import { settle } from './settle.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import {
  balanceMist,
  fund,
  fundedWallet,
  pay,
  send,
  sharedChain,
  signPayment,
  startChain,
  type TestChain,
} from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { executeSigned, newDraft, prepareSubmit, signedSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { ADMIN_KEYPAIR, newWallet } from '#lab/testing/wallets.ts';

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const ADMIN = ADMIN_KEYPAIR.toSuiAddress();
await fund(chain, ADMIN);

const payer = async (): Promise<TestUser> => newUser(server, await fundedWallet(chain));

/** The coins of a wallet as transaction inputs, the largest first. */
async function coinsOf({ client }: TestChain, owner: string, coinType?: string) {
  const { objects } = await client.core.listCoins({ owner, ...(coinType ? { coinType } : {}) });
  return objects
    .toSorted((a, b) => Number(BigInt(b.balance) - BigInt(a.balance)))
    .map(({ objectId, version, digest }) => ({ objectId, version, digest }));
}

/** A transaction with its sender; `build` adds the commands. */
function transaction(user: TestUser, build: (tx: Transaction) => void): Transaction {
  const tx = new Transaction();
  tx.setSender(user.address);
  build(tx);
  return tx;
}

const firstOf = <T>(list: T[]): T => {
  const [first] = list;
  if (first === undefined) throw new Error('one expected');
  return first;
};

describe('a transaction that is not the payment of the fee is refused and lists nothing [R17]', () => {
  interface Attack {
    name: string;
    /** Digest that the user names. */
    attack: (user: TestUser) => Promise<string>;
    status: number;
    error: string;
    /** Final state of the payment's record. */
    state: 'failed' | 'unclaimed';
    /** The one reason. */
    message: string;
  }
  const attacks: Attack[] = [
    {
      name: 'wrong sender: another user’s payment to the admin',
      attack: async () => pay(chain, await fundedWallet(chain), SUBMIT_FEE_MIST),
      status: 400,
      error: 'payment_refused',
      state: 'failed',
      message: 'The transaction was not sent by your wallet',
    },
    {
      name: '1 MIST short: kept for the admin to decide',
      attack: (user) => pay(chain, user.wallet, SUBMIT_FEE_MIST - 1n),
      status: 409,
      error: 'payment_unclaimed',
      state: 'unclaimed',
      message:
        '14.999999999 SUI arrived for a fee of 15 SUI. The transaction does not pay the fee to the right wallet in SUI. The admin will refund or credit it.',
    },
    {
      name: 'another coin of the same number',
      attack: async (user) => {
        const { accounts, demoCoin } = await fetchDemoAccounts(chain.faucetUrl);
        const admin = Ed25519Keypair.fromSecretKey(firstOf(accounts).secretKey);
        const { coinType } = demoCoin;
        const gift = new Transaction();
        gift.setSender(admin.toSuiAddress());
        const coin = firstOf(await coinsOf(chain, admin.toSuiAddress(), coinType));
        gift.transferObjects([gift.splitCoins(gift.objectRef(coin), [SUBMIT_FEE_MIST])], user.address);
        await send(chain, [admin], gift);
        const own = firstOf(await coinsOf(chain, user.address, coinType));
        return send(
          chain,
          [user.wallet],
          transaction(user, (tx) => tx.transferObjects([tx.objectRef(own)], ADMIN)),
        );
      },
      status: 400,
      error: 'payment_refused',
      state: 'failed',
      message: 'The transaction does not pay the fee to the right wallet in SUI',
    },
    {
      name: 'a refund in the same transaction, out of the recipient’s own gas coin',
      attack: async (user) => {
        const tx = transaction(user, () => undefined);
        tx.setGasOwner(ADMIN);
        // One coin only: merging many gives back more storage fees than the gas costs.
        tx.setGasPayment([firstOf(await coinsOf(chain, ADMIN))]);
        const own = firstOf(await coinsOf(chain, user.address));
        tx.transferObjects([tx.splitCoins(tx.objectRef(own), [SUBMIT_FEE_MIST])], ADMIN);
        tx.transferObjects([tx.splitCoins(tx.gas, [SUBMIT_FEE_MIST - 1n])], user.address);
        return send(chain, [user.wallet, ADMIN_KEYPAIR], tx);
      },
      status: 400,
      error: 'payment_refused',
      state: 'failed',
      message: 'The recipient paid the gas of this transaction',
    },
    {
      name: 'the recipient sponsors the gas',
      attack: async (user) => {
        const tx = transaction(user, () => undefined);
        tx.setGasOwner(ADMIN);
        const own = firstOf(await coinsOf(chain, user.address));
        tx.transferObjects([tx.splitCoins(tx.objectRef(own), [SUBMIT_FEE_MIST + 50_000_000n])], ADMIN);
        return send(chain, [user.wallet, ADMIN_KEYPAIR], tx);
      },
      status: 409,
      error: 'payment_unclaimed',
      state: 'unclaimed',
      message: expect.stringMatching(
        /^15\.0\d+ SUI arrived for a fee of 15 SUI\. The recipient paid the gas of this transaction\. The admin will/,
      ),
    },
    {
      name: 'another wallet sponsors the 15 SUI',
      attack: async (user) => {
        const sponsor = await fundedWallet(chain);
        const tx = transaction(user, () => undefined);
        tx.setGasOwner(sponsor.toSuiAddress());
        tx.transferObjects([tx.splitCoins(tx.gas, [SUBMIT_FEE_MIST])], ADMIN);
        return send(chain, [user.wallet, sponsor], tx);
      },
      status: 409,
      error: 'payment_unclaimed',
      state: 'unclaimed',
      message:
        '15 SUI arrived for a fee of 15 SUI. The money of this transaction did not come from your wallet. The admin will refund or credit it.',
    },
    {
      name: 'a transaction that failed on chain',
      attack: async (user) => {
        const tx = transaction(user, (tx) => {
          const coin = tx.splitCoins(tx.gas, [SUBMIT_FEE_MIST]);
          tx.transferObjects([coin], ADMIN);
          tx.splitCoins(coin, [1n]);
        });
        // With its own gas nothing is simulated first, which would refuse it.
        tx.setGasBudget(50_000_000);
        tx.setGasPrice(1000);
        tx.setGasPayment(await coinsOf(chain, user.address));
        return send(chain, [user.wallet], tx);
      },
      status: 400,
      error: 'payment_refused',
      state: 'failed',
      message: 'The transaction failed on chain, so nothing was paid',
    },
    {
      name: 'not a digest',
      attack: async () => 'l'.repeat(40),
      status: 400,
      error: 'payment_refused',
      state: 'failed',
      message: 'This is not the digest of a transaction',
    },
  ];

  test.each(attacks)('$name: $error', async ({ attack, status, error, state, message }) => {
    const user = await payer();
    const digest = await attack(user);
    expect(await submitPaid(user, await newDraft(), digest)).toMatchObject({ status, body: { error, message } });
    const [record] = (await user.get<Payment[]>('/api/payments')).body;
    expect(record).toMatchObject({ state, transactionHash: digest });
    expect(await db.selectFrom('projects').select('id').where('ownerId', '=', user.id).execute()).toEqual([]);
  });

  test('a payment older than 24 hours is kept for the admin, and a slightly younger one counts', async () => {
    const user = await payer();
    for (const [hours, status] of [
      [24.2, 409],
      [23.9, 201],
    ] as const) {
      const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
      // Names it that much later; the chain's own time stays.
      const draft = await newDraft();
      const { paymentId } = (await prepareSubmit(user, draft)).body;
      await db
        .updateTable('payments')
        .set({ state: 'signed', digest, signedAt: sql`now() + ${hours} * interval '1 hour'` })
        .where('id', '=', paymentId)
        .execute();
      const payment = await findPayment(db, paymentId);
      if (!payment) throw new Error('payment expected');
      const settled = await settle(server.services, payment, 0);
      expect(settled.state).toBe(status === 201 ? 'paid' : 'unclaimed');
    }
  });
});

describe('a transaction that pays two of our wallets is entered in the books completely [R16 R17]', () => {
  interface Split {
    what: string;
    /** Amounts that today's wallet and an earlier one receive, in MIST. */
    parts: [bigint, bigint];
    /** Time since the earlier one was last in use. */
    hours: number;
    status: number;
    state: 'fulfilled' | 'unclaimed';
    /** Message to the payer, where the payment waits for a review. */
    message?: string;
  }
  const splits: Split[] = [
    {
      what: 'each too little',
      parts: [2_000_000_000n, 14_000_000_000n],
      hours: 1,
      status: 409,
      state: 'unclaimed',
      message:
        '16 SUI arrived for a fee of 15 SUI. The transaction does not pay the fee to the right wallet in SUI. The admin will refund or credit it.',
    },
    {
      what: 'the fee to one that was given up, and a little to today’s',
      parts: [1_000_000_000n, SUBMIT_FEE_MIST],
      hours: 25,
      status: 409,
      state: 'unclaimed',
      message:
        '16 SUI arrived for a fee of 15 SUI. The transaction pays a wallet that no longer accepts payments. The admin will refund or credit it.',
    },
    {
      what: 'the fee to one that was given up, and nothing to today’s',
      parts: [0n, SUBMIT_FEE_MIST],
      hours: 25,
      status: 409,
      state: 'unclaimed',
      message:
        '15 SUI arrived for a fee of 15 SUI. The transaction pays a wallet that no longer accepts payments. The admin will refund or credit it.',
    },
    {
      what: 'the fee to the earlier one, and a little to today’s',
      parts: [1_000_000_000n, SUBMIT_FEE_MIST],
      hours: 1,
      status: 201,
      state: 'fulfilled',
    },
  ];

  test.each(splits)('$what: $state', async ({ parts, hours, status, state, message }) => {
    const [user, earlier] = [await payer(), newWallet().toSuiAddress()];
    await sql`INSERT INTO payment_recipients (address, last_used_at)
      VALUES (${earlier}, now() - ${hours} * interval '1 hour')`.execute(db);
    const both = transaction(user, (tx) => {
      const [toAdmin, toEarlier] = tx.splitCoins(tx.gas, parts);
      tx.transferObjects([toAdmin], ADMIN);
      tx.transferObjects([toEarlier], earlier);
    });
    const response = await submitPaid(user, await newDraft(), await send(chain, [user.wallet], both));
    expect([response.status, (response.body as { message?: string }).message]).toEqual([status, message]);
    const [record] = (await user.get<Payment[]>('/api/payments')).body;
    expect(record).toMatchObject({ state, receivedMist: String(parts[0] + parts[1]) });
  });
});

test('refuses a recipient that was never our wallet [R17 R32]', async () => {
  const [user, draft] = [await payer(), await newDraft()];
  const { paymentId } = (await prepareSubmit(user, draft)).body;
  const foreign = newWallet().toSuiAddress();
  await expect(
    db.updateTable('payments').set({ recipient: foreign }).where('id', '=', paymentId).execute(),
  ).rejects.toThrow(/payment_recipients|foreign key/);
  const mayWrite = await sql<{ may: boolean }>`
    SELECT has_table_privilege('snapswipe_console', 'payment_recipients', 'INSERT, UPDATE, DELETE, TRUNCATE') AS may`.execute(
    db,
  );
  expect(mayWrite.rows).toEqual([{ may: false }]);
  const transactionHash = await pay(chain, user.wallet, SUBMIT_FEE_MIST, foreign);
  expect(await submitPaid(user, draft, transactionHash)).toMatchObject({ status: 400 });
});

describe('a transaction that the chain does not know is pending, and never becomes a project automatically [R17]', () => {
  const pending = {
    status: 202,
    body: { status: 'pending', message: expect.stringContaining('do not have to pay again') },
  };

  test('a payment on another network is pending', async () => {
    const elsewhere = await startChain();
    try {
      const wallet = await fundedWallet(elsewhere);
      const digest = await pay(elsewhere, wallet, SUBMIT_FEE_MIST);
      const user = await newUser(server, wallet);
      expect(await submitPaid(user, await newDraft(), digest)).toMatchObject(pending);
      expect(await db.selectFrom('projects').select('id').where('ownerId', '=', user.id).execute()).toEqual([]);
    } finally {
      await elsewhere.stop();
    }
  });

  test('a digest that another user named first still belongs to its payer', async () => {
    const [thief, user] = [await newUser(server), await payer()];
    const signed = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
    expect(await submitPaid(thief, await newDraft(), signed.digest)).toMatchObject(pending);
    const { paymentId } = (await prepareSubmit(user, await newDraft())).body;
    expect((await executeSigned(user, paymentId, signed)).status).toBe(200);
    expect(await submitPaid(thief, await newDraft(), signed.digest)).toMatchObject({ status: 409 });
  });
});

describe('one transaction pays for one order [R17]', () => {
  test('rejects the same digest for another order, and for the same order of another user, with 409', async () => {
    const [user, draft] = [await payer(), await newDraft()];
    const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
    expect((await submitPaid(user, draft, digest)).status).toBe(201);
    const used = { status: 409, body: { error: 'digest_used' } };
    expect(await submitPaid(user, await newDraft(), digest)).toMatchObject(used);
    const project = `/api/projects/${await insertProject(db, { ownerId: user.id })}`;
    expect(await user.post(`${project}/renew`, { transactionHash: digest })).toMatchObject(used);
    expect(await user.patch(`${project}/update`, { name: 'x', transactionHash: digest })).toMatchObject(used);
    expect(await submitPaid(await newUser(server), draft, digest)).toMatchObject(used);
  });

  test('lists one of eight simultaneous orders with the same digest', async () => {
    const user = await payer();
    const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
    const drafts = await Promise.all(Array.from({ length: 8 }, () => newDraft()));
    const responses = await Promise.all(drafts.map((draft) => submitPaid(user, draft, digest)));
    const statuses = responses.map((response) => response.status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await db.selectFrom('projects').select('id').where('ownerId', '=', user.id).execute()).toHaveLength(1);
  });

  test('refuses the same signed bytes for a second draft, so that nothing is paid twice', async () => {
    const user = await payer();
    const [first, second] = [await prepareSubmit(user, await newDraft()), await prepareSubmit(user, await newDraft())];
    const signed = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
    const responses = await Promise.all([
      executeSigned(user, first.body.paymentId, signed),
      executeSigned(user, second.body.paymentId, signed),
    ]);
    expect(responses.map((response) => response.status).sort((a, b) => a - b)).toEqual([200, 409]);
  });

  test('the fee of an update does not renew: the 5 SUI are kept for the admin to decide', async () => {
    const user = await payer();
    const projectId = await insertProject(db, { ownerId: user.id });
    const transactionHash = await pay(chain, user.wallet, UPDATE_FEE_MIST);
    expect(await user.post(`/api/projects/${projectId}/renew`, { transactionHash })).toMatchObject({
      status: 409,
      body: { error: 'payment_unclaimed', message: expect.stringContaining('5 SUI arrived for a fee of 15 SUI') },
    });
  });
});

describe('transactions that the server refuses to execute [R16]', () => {
  async function attackExecute(
    change: (user: TestUser) => Promise<{ bytes: string; signature: string }>,
  ): Promise<{ status: number; body: { error?: string } }> {
    const user = await payer();
    const { paymentId } = (await prepareSubmit(user, await newDraft())).body;
    const signed = await change(user);
    const before = await balanceMist(chain, user.address);
    const response = await executeSigned(user, paymentId, signed);
    expect(await balanceMist(chain, user.address)).toBe(before);
    expect((await user.get(`/api/payments/${paymentId}`)).body).toMatchObject({
      state: 'draft',
      transactionHash: null,
    });
    return response;
  }
  const refused = (reason: string) => ({
    status: 400,
    body: { error: 'wrong_transaction', message: `${reason}. Expected: 15 SUI and nothing else.`, nothingPaid: true },
  });

  test('refuses to execute a payment of another wallet, correctly signed by that wallet', async () => {
    const other = await fundedWallet(chain);
    expect(await attackExecute(() => signPayment(chain, other, SUBMIT_FEE_MIST))).toMatchObject(
      refused('The transaction is from another wallet'),
    );
  });

  test('refuses to execute with the signature of another key', async () => {
    const response = await attackExecute(async (user) => {
      const { bytes } = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
      const { signature } = await newWallet().signTransaction(Buffer.from(bytes, 'base64'));
      return { bytes, signature };
    });
    expect(response).toMatchObject({ status: 400, body: { error: 'bad_signature' } });
  });

  test('refuses to execute tampered bytes: one in seven of them, changed', async () => {
    const user = await payer();
    const { paymentId, signed } = await signedSubmit(chain, user);
    const { bytes, signature } = signed;
    const raw = Buffer.from(bytes, 'base64');
    for (let at = 0; at < raw.length; at += 7) {
      const changed = Buffer.from(raw);
      changed.writeUInt8((raw[at] ?? 0) ^ 1, at);
      const response = await executeSigned(user, paymentId, { bytes: changed.toString('base64'), signature });
      expect(response.status, `byte ${at}`).toBe(400);
    }
    expect((await user.get(`/api/payments/${paymentId}`)).body).toMatchObject({ state: 'draft' });
  });

  test('refuses to execute bytes that are not base64', async () => {
    expect(await attackExecute(async () => ({ bytes: '%%%', signature: 'AA==' }))).toMatchObject({
      status: 400,
      body: { error: 'wrong_transaction', message: 'The transaction is not base64', nothingPaid: true },
    });
  });

  test('rejects another transaction after the first was sent with 409, and only the first pays', async () => {
    const user = await payer();
    const { paymentId, signed: first } = await signedSubmit(chain, user);
    expect((await executeSigned(user, paymentId, first)).status).toBe(200);
    const second = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST);
    const before = await balanceMist(chain, user.address);
    expect(await executeSigned(user, paymentId, second)).toMatchObject({
      status: 409,
      body: { error: 'already_signed' },
    });
    expect(await balanceMist(chain, user.address)).toBe(before);
    // The digest of another one cannot replace it either.
    const transactionHash = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
    expect(await user.post(`/api/payments/${paymentId}/execute`, { transactionHash })).toMatchObject({
      status: 409,
      body: { error: 'already_signed' },
    });
    expect((await user.get(`/api/payments/${paymentId}`)).body).toMatchObject({
      state: 'paid',
      transactionHash: first.digest,
    });
  });

  test('a payment whose coins were spent before fails, and the response says that nothing was paid', async () => {
    const user = await payer();
    const { paymentId, signed } = await signedSubmit(chain, user);
    await pay(chain, user.wallet, 1n, newWallet().toSuiAddress());
    expect(await executeSigned(user, paymentId, signed)).toMatchObject({
      status: 409,
      body: { error: 'payment_failed', message: expect.stringContaining('nothing was paid') },
    });
  });
});

test('the payment of a project that was removed becomes unclaimed, and the payer sees it [R17]', async () => {
  const user = await payer();
  const projectId = await insertProject(db, { ownerId: user.id });
  const transactionHash = await pay(chain, user.wallet, RENEW_FEE_MIST);
  await db.deleteFrom('projects').where('id', '=', projectId).execute();
  expect(await user.post(`/api/projects/${projectId}/renew`, { transactionHash })).toMatchObject({
    status: 409,
    body: {
      error: 'payment_unclaimed',
      message: 'The project no longer exists. The admin will refund or credit it.',
    },
  });
  expect((await user.get<Payment[]>('/api/payments')).body).toMatchObject([
    { state: 'unclaimed', transactionHash, amountMist: '15000000000', receivedMist: '15000000000' },
  ]);
  const activity = await user.get<Array<{ kind: string; digest: string }>>(`/api/users/${user.id}/activity`);
  expect(activity.body).toMatchObject([{ kind: 'payment_unclaimed', digest: transactionHash }]);
});
