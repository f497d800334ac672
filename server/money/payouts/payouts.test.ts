import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import type { PayoutBook } from '#shared/contract/payouts.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { startServer } from '#lab/testing/app.ts';
import { behindTheTriggers } from '#lab/testing/builders.ts';
import { makeBook, newBook, setPayers } from '#lab/testing/book.ts';
import { emptyIntoBalance } from '#packages/sandbox/testing/own-coins.ts';
import { openPayouts, type Payee } from '#lab/testing/payouts.ts';
import { settlePayouts } from './settle.ts';

const payouts = await openPayouts();
const { chain, adminKey, ADMIN, demoCoin, treasury, UNIT, proxy, env, server, db, sui, panel, book } = payouts;
const { payee, another, prepare, prepared, sign, send, payOut, paidTo, snapsOf, stateOf, auditOf, ledgerOf } = payouts;
const { coinType } = demoCoin;
const settle = () => settlePayouts(server.services);
const reject = ({ withdrawal }: Payee) =>
  panel.post<{ error: string }>(`/api/admin/withdrawals/${withdrawal.id}/reject`, { reason: 'Not this one' });

test('one transaction of the paying wallet pays many, and the Book says what was paid [R14 R33 R97]', async () => {
  const recipients = [await payee(120), await payee(80)];
  const { digest, paidIds } = await payOut(...recipients);
  expect(new Set(paidIds)).toEqual(new Set(recipients.map(({ withdrawal }) => withdrawal.id)));
  for (const [at, one] of recipients.entries()) {
    const tokens = at === 0 ? 120 : 80;
    expect(await stateOf(one)).toMatchObject({ state: 'paid', digest, paidEarlier: false });
    expect([await snapsOf(one.user.address), await paidTo(one.user.address)]).toEqual([
      BigInt(tokens) * UNIT,
      BigInt(tokens) * UNIT,
    ]);
    expect(await ledgerOf(one)).toEqual([
      { kind: 'withdrawal_hold', amount: -tokens },
      { kind: 'hold_release', amount: tokens },
      { kind: 'payout', amount: -tokens },
    ]);
    const { body } = await one.user.get<{ kind: string }[]>(`/api/users/${one.user.id}/activity`);
    expect(body[0]?.kind).toBe('withdrawal_paid');
  }
  expect(await auditOf(digest)).toEqual(['payout.settle paid', 'payout.settle paid', 'payout.send ok']);
  const state = (await panel.get<PayoutBook>('/api/admin/book')).body;
  expect(state).toMatchObject({ problem: null, setting: book.id, known: book.id, chain: { owner: ADMIN } });
  expect(state.chain?.paidSnaps).toBe(state.paidSnaps);
});

describe('no wallet is paid twice [R97]', () => {
  test('the same signed transaction and a second one for the same withdrawals move nothing more', async () => {
    const one = await payee(100);
    const payout = await prepared(one);
    const first = await sign(payout);
    const answers = await Promise.all([send(payout, first), send(payout, first)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const again = await sign(payout);
    expect((await send(payout, again)).status).toBe(200);
    expect(await snapsOf(one.user.address)).toBe(100n * UNIT);
    expect((await prepare(one)).body.error).toBe('wrong_state');
  });

  test('two servers that pay at once pay once', async () => {
    const other = await startServer(server.databaseUrl, { env });
    onTestFinished(() => other.close());
    const there = await signInAsAdmin(other, adminKey);
    const one = await payee(90);
    const withdrawalIds = [one.withdrawal.id];
    const payout = await prepared(one);
    const twice = [await sign(payout), await sign(payout)];
    await Promise.all([
      send(payout, twice[0] ?? {}),
      there.post('/api/admin/payouts/send', { withdrawalIds, signed: twice[1] }),
    ]);
    await send(payout, await sign(payout));
    expect([await snapsOf(one.user.address), (await stateOf(one)).state]).toEqual([90n * UNIT, 'paid']);
  });

  test('a lost response, or the end of the epoch, only delays the settlement', async () => {
    const one = await payee(70);
    const payout = await prepared(one);
    proxy.fail('execute', 'cut', { isDone: true });
    expect((await send(payout, await sign(payout))).body.paidIds).toEqual([one.withdrawal.id]);
    proxy.heal();
    const two = await payee(70);
    const late = await prepared(two);
    proxy.fail('execute', 'unavailable', { laterMs: 300 });
    expect((await send(late, await sign(late))).body.paidIds).toEqual([]);
    proxy.heal();
    await chain.control({ endEpoch: true });
    await expect.poll(async () => (await settle()).includes(two.withdrawal.id)).toBe(true);
    expect([await snapsOf(one.user.address), await snapsOf(two.user.address)]).toEqual([70n * UNIT, 70n * UNIT]);
  });

  test('a node that cannot be reached changes nothing', async () => {
    const one = await payee(60);
    proxy.fail('all', 'unavailable');
    expect((await prepare(one)).status).toBe(503);
    expect((await reject(one)).status).toBe(503);
    await expect(settle()).rejects.toThrow(/cannot be asked/);
    proxy.heal();
    expect((await stateOf(one)).state).toBe('approved');
  });

  test('a node that is behind delays the settlement; a payout of a withdrawal rejected by then counts as paid ahead', async () => {
    const [one, two] = [await payee(60), await payee(60)];
    const payout = await prepared(one, two);
    const signed = await sign(payout);
    proxy.isBehind = true;
    expect((await send(payout, signed)).body.paidIds).toEqual([]);
    expect((await reject(two)).status).toBe(200);
    proxy.heal();
    expect(await settle()).toEqual([one.withdrawal.id]);
    const next = await another(two, 90);
    await payOut(next);
    expect([await snapsOf(one.user.address), await snapsOf(two.user.address)]).toEqual([60n * UNIT, 90n * UNIT]);
  });

  test('the history of the node is not needed: transactions may be pruned, or indexed late', async () => {
    const [one, two] = [await payee(60), await payee(60)];
    await chain.control({ indexDelayMs: 60_000 });
    await payOut(one);
    await chain.control({ indexDelayMs: 0, lowestCheckpoint: 1_000 });
    onTestFinished(() => chain.control({ lowestCheckpoint: 0 }));
    await payOut(two);
    expect([(await stateOf(one)).state, (await stateOf(two)).state]).toEqual(['paid', 'paid']);
  });
});

describe('several withdrawals of one wallet [R97]', () => {
  test("paying a later withdrawal pays the wallet's earlier ones with it, each with its own entry", async () => {
    const first = await payee(60);
    const [second, third] = [await another(first, 70), await another(first, 80)];
    const payout = await prepared(second);
    expect(payout.withdrawalIds).toEqual([first.withdrawal.id, second.withdrawal.id]);
    await send(payout, await sign(payout));
    expect([await stateOf(first), await stateOf(second), await stateOf(third)]).toMatchObject([
      { state: 'paid' },
      { state: 'paid' },
      { state: 'approved' },
    ]);
    await payOut(third);
    expect(await snapsOf(first.user.address)).toBe(210n * UNIT);
  });

  test("the payout of a withdrawal that was rejected while pending pays the wallet's next withdrawals", async () => {
    const one = await payee(60);
    const payout = await prepared(one);
    const signed = await sign(payout);
    expect((await reject(one)).status).toBe(200);
    expect((await send(payout, signed)).body.paidIds).toEqual([]);
    expect(await snapsOf(one.user.address)).toBe(60n * UNIT);
    const next = await another(one, 80);
    await payOut(next);
    expect([await snapsOf(one.user.address), (await stateOf(next)).state]).toEqual([80n * UNIT, 'paid']);
  });

  test('a withdrawal covered by an earlier payout waits for the owner, and is not paid again', async () => {
    const one = await payee(60);
    const payout = await prepared(one);
    const signed = await sign(payout);
    await reject(one);
    await send(payout, signed);
    const next = await another(one, 50);
    expect(await settle()).toEqual([]);
    const { body } = await panel.get<AdminWithdrawal[]>('/api/admin/withdrawals?state=approved');
    expect(body.find(({ id }) => id === next.withdrawal.id)).toMatchObject({ waitsForOwner: true });
    await panel.post(`/api/admin/withdrawals/${next.withdrawal.id}/confirm-paid`, { reason: 'It was under way' });
    expect([await snapsOf(one.user.address), (await stateOf(next)).state]).toEqual([60n * UNIT, 'paid']);
  });

  test('a withdrawal that the chain has paid cannot be rejected', async () => {
    const one = await payee(60);
    const payout = await prepared(one);
    const { bytes, signature } = await sign(payout);
    await sui.core.executeTransaction({ transaction: Buffer.from(bytes, 'base64'), signatures: [signature] });
    expect(await reject(one)).toMatchObject({ status: 409, body: { error: 'wrong_state' } });
    expect((await stateOf(one)).state).toBe('paid');
  });
});

describe('a wallet that cannot pay sends nothing', () => {
  test('a payer that the Book does not list, or without enough Snaps or gas, sends nothing', async () => {
    const one = await payee(60);
    await setPayers(sui, adminKey, book, [treasury.toSuiAddress()]);
    expect((await prepare(one)).body).toMatchObject({
      error: 'cannot_pay',
      message: expect.stringMatching(/list of payers/),
    });
    await setPayers(sui, adminKey, book, [ADMIN]);
    const much = [await payee(30_000), await payee(30_000), await payee(30_000), await payee(30_000)];
    expect((await prepare(...much)).body).toMatchObject({
      error: 'cannot_pay',
      message: expect.stringMatching(/does not hold enough/),
    });
    expect((await prepared(one)).withdrawalIds).toEqual([one.withdrawal.id]);
    for (const payee of much) await reject(payee);
  });

  test('refuses a stranger’s signature, and a transaction that does not call this Book', async () => {
    const payout = await prepared(await payee(60));
    const stranger = new Ed25519Keypair();
    expect((await send(payout, await sign(payout, stranger))).status).toBe(400);
    const other = await newBook(sui, adminKey, book.packageId, coinType);
    const body = await send(payout, await sign({ ...payout, book: { ...payout.book, ...other } }));
    expect(body).toMatchObject({ status: 400, body: { error: 'not_this_payout' } });
    expect((await send(payout, { bytes: 'AAAA', signature: 'AA==' })).status).toBe(400);
  });

  test('a wallet whose Snaps are in its address balance pays from there, and keeps the rest [R82]', async () => {
    const before = await snapsOf(ADMIN);
    await emptyIntoBalance(sui, adminKey, { coinType, rest: treasury.toSuiAddress() });
    const held = await snapsOf(ADMIN);
    const one = await payee(60);
    await payOut(one);
    expect([await snapsOf(one.user.address), await snapsOf(ADMIN)]).toEqual([60n * UNIT, held - 60n * UNIT]);
    await payouts.sendSnaps(treasury, [{ address: ADMIN, units: before }]);
    await payouts.fundAdmin();
  });
});

test('one recipient that the chain refuses is set aside with its reason, and the others are paid [R79]', async () => {
  const all = [await payee(60), await payee(61), await payee(62), await payee(63), await payee(64)];
  const denied = all[2]?.user.address ?? '';
  await chain.control({ denied: [denied] });
  const payout = await prepared(...all);
  expect(payout.refused).toEqual([
    { withdrawalIds: [all[2]?.withdrawal.id], reason: expect.stringMatching(/denied/i) },
  ]);
  expect((await send(payout, await sign(payout))).body.paidIds).toHaveLength(4);
  const { body } = await panel.get<AdminWithdrawal[]>('/api/admin/withdrawals?state=approved');
  expect(body.find(({ walletAddress }) => walletAddress === denied)?.refusedReason).toMatch(/denied/i);
  const { notices } = (await all[2]?.user.get<{ notices: { kind: string }[] }>(`/api/users/${all[2]?.user.id}/notices`))
    ?.body ?? { notices: [] };
  expect(notices.map(({ kind }) => kind)).toContain('payout_failed');
  await chain.control({ denied: all.map(({ user }) => user.address) });
  const more = [await payee(60), await payee(60)];
  await chain.control({ denied: more.map(({ user }) => user.address) });
  expect((await prepare(...more)).body).toMatchObject({ error: 'refused' });
  await chain.control({ denied: [] });
  await payOut(...more, ...all.slice(2, 3));
  expect(await snapsOf(denied)).toBe(62n * UNIT);
});

describe('settings and database have to agree, or nothing is paid [R97]', () => {
  const withEnv = async (change: Record<string, string>) => {
    const other = await startServer(server.databaseUrl, { env: { ...env, ...change } });
    onTestFinished(() => other.close());
    const there = await signInAsAdmin(other, adminKey);
    const stateThere = async () => (await there.get<PayoutBook>('/api/admin/book')).body.problem;
    const prepareThere = async ({ withdrawal }: Payee) =>
      (await there.post<{ error: string }>('/api/admin/payouts', { withdrawalIds: [withdrawal.id] })).body.error;
    return { other, there, stateThere, prepareThere };
  };

  test('pays nothing without a Book, with another id, coin or decimals, or with a lost ACCOUNT_KEY', async () => {
    const one = await payee(60);
    for (const [change, problem] of [
      [{ SNAPS_BOOK: '' }, 'none'],
      [{ SNAPS_BOOK: book.tableId }, 'other_book'],
      [{ SNAPS_DECIMALS: '9' }, 'other_coin'],
      [{ SNAPS_COIN_TYPE: '0x2::sui::SUI' }, 'other_coin'],
    ] as const) {
      const { stateThere, prepareThere } = await withEnv(change);
      expect([await stateThere(), await prepareThere(one)]).toEqual([problem, `book_${problem}`]);
    }
    await sql`INSERT INTO former_totals (book_id, wallet_hash, key_check, units)
      SELECT id, decode(repeat('00', 32), 'hex'), decode(repeat('01', 32), 'hex'), 1 FROM books`.execute(db);
    expect((await prepare(one)).body.error).toBe('book_unknown_key');
    expect(await settle()).toEqual([]);
    await sql`DELETE FROM former_totals`.execute(db);
    await payOut(one);
  });

  test('an empty second Book pays nothing until the owner begins it, and then only what is open', async () => {
    const past = await payee(90);
    await payOut(past);
    const open = await another(past, 60);
    const second = await makeBook(sui, adminKey, { coinType });
    const { there, stateThere, prepareThere, other } = await withEnv({ SNAPS_BOOK: second.id });
    expect([await stateThere(), await prepareThere(open)]).toEqual(['other_book', 'book_other_book']);
    expect((await there.post('/api/admin/book', { reason: 'A new owner' })).status).toBe(200);
    expect((await panel.get<PayoutBook>('/api/admin/book')).body.problem).toBe('other_book');
    expect(await settlePayouts(other.services)).toEqual([]);
    const { rows } = await sql<{
      mark: string;
    }>`SELECT mark::text FROM withdrawals WHERE id = ${open.withdrawal.id}`.execute(db);
    expect(rows[0]?.mark).toBe(String(60n * UNIT));
    expect((await panel.post('/api/admin/book', { reason: 'Back to the first' })).status).toBe(200);
    await payOut(open);
    expect(await snapsOf(past.user.address)).toBe(150n * UNIT);
  });

  test('a total raised by hand pays no more than what is open, and is reported', async () => {
    const one = await payee(60);
    await sql`UPDATE withdrawals SET mark = mark + ${String(5n * UNIT)}::numeric WHERE id = ${one.withdrawal.id}`.execute(
      db,
    );
    await sql`UPDATE book_totals SET units = units + ${String(5n * UNIT)}::numeric WHERE user_id = ${one.user.id}`.execute(
      db,
    );
    expect((await prepare(one)).body).toMatchObject({
      error: 'refused',
      message: expect.stringMatching(/paid less than the books say/),
    });
    await sql`UPDATE withdrawals SET mark = mark - ${String(5n * UNIT)}::numeric WHERE id = ${one.withdrawal.id}`.execute(
      db,
    );
    await sql`UPDATE book_totals SET units = units - ${String(5n * UNIT)}::numeric WHERE user_id = ${one.user.id}`.execute(
      db,
    );
    await payOut(one);
  });
});

describe('paid before it was approved [R97]', () => {
  /** A wallet that the Book has paid, unknown to these books. */
  async function ahead(): Promise<Payee> {
    const one = await payee(100);
    await payOut(one);
    await sql`UPDATE withdrawals SET book_id = NULL, mark = NULL WHERE id = ${one.withdrawal.id}`.execute(db);
    await sql`UPDATE book_totals SET units = 0 WHERE user_id = ${one.user.id}`.execute(db);
    return one;
  }

  test('a withdrawal paid before its approval waits for the owner if no restore was noticed, and cannot be rejected', async () => {
    const next = await another(await ahead(), 60);
    expect(await settle()).toEqual([]);
    const { body } = await panel.get<AdminWithdrawal[]>('/api/admin/withdrawals?state=approved');
    expect(body.find(({ id }) => id === next.withdrawal.id)).toMatchObject({ waitsForOwner: true });
    expect((await reject(next)).status).toBe(409);
    const confirm = await panel.post(`/api/admin/withdrawals/${next.withdrawal.id}/confirm-paid`, {
      reason: 'Looked it up',
    });
    expect(confirm.status).toBe(200);
    expect(await stateOf(next)).toMatchObject({ state: 'paid', paidEarlier: true });
    expect(await snapsOf(next.user.address)).toBe(100n * UNIT);
  });

  test('a request whose approval a restore lost is approved again and not paid again [R56]', async () => {
    const one = await payee(60);
    await payOut(one);
    const { user, withdrawal } = one;
    await behindTheTriggers(
      db,
      async (trx) => {
        await sql`UPDATE withdrawals SET state = 'requested', digest = NULL, book_id = NULL, mark = NULL WHERE id = ${withdrawal.id}`.execute(
          trx,
        );
        await sql`DELETE FROM token_ledger WHERE user_id = ${user.id} AND kind IN ('hold_release', 'payout')`.execute(
          trx,
        );
        await sql`UPDATE book_totals SET units = 0 WHERE user_id = ${user.id}`.execute(trx);
        await sql`UPDATE database_copies SET lost_from = now() - interval '1 hour', lost_until = now()`.execute(trx);
      },
      { reopens: false },
    );
    onTestFinished(
      async () => void (await sql`UPDATE database_copies SET lost_from = NULL, lost_until = NULL`.execute(db)),
    );
    expect((await panel.post(`/api/admin/withdrawals/${withdrawal.id}/approve`)).status).toBe(200);
    expect(await settle()).toEqual([withdrawal.id]);
    expect(await stateOf(one)).toMatchObject({ state: 'paid', paidEarlier: true });
    expect(await snapsOf(user.address)).toBe(60n * UNIT);
  });

  test('a payout that a noticed restore lost settles the next request, and is shown before it [R56]', async () => {
    const one = await ahead();
    await sql`UPDATE database_copies SET lost_from = now() - interval '1 hour', lost_until = now()`.execute(db);
    onTestFinished(
      async () => void (await sql`UPDATE database_copies SET lost_from = NULL, lost_until = NULL`.execute(db)),
    );
    const prepaid = async () =>
      (await one.user.get<{ prepaid: { snaps: number } | null }>('/api/withdrawals')).body.prepaid;
    expect(await prepaid()).toMatchObject({ snaps: 100 });
    const next = await another(one, 60);
    expect(await prepaid()).toMatchObject({ snaps: 40 });
    expect(await settle()).toEqual([next.withdrawal.id]);
    expect(await stateOf(next)).toMatchObject({ state: 'paid', paidEarlier: true });
    const last = await another(one, 60);
    await payOut(last);
    expect([await snapsOf(one.user.address), (await stateOf(last)).paidEarlier]).toEqual([120n * UNIT, false]);
  });
});

describe('a site without a coin is paid by hand', () => {
  test('the admin records a digest, and has to compare first after a restore [R56]', async () => {
    const one = await payee(60);
    expect(
      (await panel.post('/api/admin/payouts/record', { withdrawalIds: [one.withdrawal.id], digest: 'D'.repeat(44) }))
        .status,
    ).toBe(409);
    await payOut(one);
    const other = await startServer(server.databaseUrl, {
      env: { ...env, SNAPS_COIN_TYPE: '', SNAPS_BOOK: '', SNAPS_DECIMALS: '6' },
    });
    onTestFinished(() => other.close());
    const there = await signInAsAdmin(other, adminKey);
    await sql`UPDATE books SET ended_at = now()`.execute(db);
    onTestFinished(
      async () => void (await sql`UPDATE books SET ended_at = NULL WHERE object_id = ${book.id}`.execute(db)),
    );
    const [first, second] = [await payee(60), await payee(60)];
    const digest = (await payouts.sendSnaps(treasury, [{ address: first.user.address, units: UNIT }])) ?? '';
    const record = (payee: Payee, more: object = {}) =>
      there.post<{ error: string }>('/api/admin/payouts/record', {
        withdrawalIds: [payee.withdrawal.id],
        digest,
        ...more,
      });
    expect((await record(first)).status).toBe(200);
    expect(await stateOf(first)).toMatchObject({ state: 'paid', digest });
    expect((await record(first)).status).toBe(409);
    await sql`UPDATE database_copies SET lost_from = now(), lost_until = now()`.execute(db);
    onTestFinished(
      async () => void (await sql`UPDATE database_copies SET lost_from = NULL, lost_until = NULL`.execute(db)),
    );
    expect((await record(second)).body.error).toBe('restored');
    expect((await record(second, { hasCompared: true })).status).toBe(200);
  });
});
