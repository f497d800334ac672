import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction, type TransactionArgument } from '@mysten/sui/transactions';
import { toBase58 } from '@mysten/sui/utils';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { normalizeAddress } from './address.ts';
import { createSuiClient } from './client.ts';
import { isComplete, verifyPayment, payerOf } from './payment-outcome.ts';
import { type ExecutedTransaction, isDigest, lookUpTransaction } from './transactions.ts';
import { buildPayment, validatePayment, readPayment } from './payment.ts';

const FEE_MIST = 15_000_000_000n;
const sender = new Ed25519Keypair().toSuiAddress();
const recipient = new Ed25519Keypair().toSuiAddress();
const stranger = new Ed25519Keypair().toSuiAddress();
const agreed = { sender, recipient, amountMist: FEE_MIST };

const DIGEST = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
const GAS_COIN = { objectId: stranger, version: '7', digest: DIGEST };
const WINDOW = { minEpoch: '5', maxEpoch: '5', minTimestamp: null, maxTimestamp: null, chain: DIGEST, nonce: 1 };

/** The fields that a node would fill in, so that a transaction can be built without one. */
function build(transaction: Transaction, addressBalance = 0n): Promise<Uint8Array<ArrayBuffer>> {
  transaction.setSenderIfNotSet(sender);
  transaction.setGasPrice(1000);
  transaction.setGasBudget(5_000_000);
  if (!transaction.getData().gasData.payment) transaction.setGasPayment([GAS_COIN]);
  const [client, value] = [createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' }), String(addressBalance)];
  client.core.getBalance = async () => ({
    balance: { coinType: '0x2::sui::SUI', balance: value, coinBalance: '0', addressBalance: value },
  });
  return transaction.build({ client });
}

async function errorOf(change: (transaction: Transaction) => void): Promise<string | null> {
  const transaction = new Transaction();
  change(transaction);
  const reading = readPayment(await build(transaction));
  return 'error' in reading ? reading.error : validatePayment(reading.terms, agreed);
}

const buildDigest = (bytes: Uint8Array) => Transaction.from(bytes).getDigest();

const AMOUNT = fc.bigInt(1n, 2n ** 64n - 1n);
const addressOf = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => `0x${Buffer.from(b).toString('hex')}`);

describe('buildPayment and readPayment', () => {
  it('any payment that is built is read back, for every amount and every pair of wallets [R20 S7.25]', async () => {
    await fc.assert(
      fc.asyncProperty(AMOUNT, fc.boolean(), addressOf, addressOf, async (amountMist, isInCoins, from, to) => {
        const terms = { sender: from, recipient: to, amountMist };
        const transaction = buildPayment(terms);
        const reading = readPayment(await build(transaction, isInCoins ? amountMist - 1n : amountMist));
        expect(reading).toEqual({ digest: await transaction.getDigest(), terms });
        expect(validatePayment(terms, terms)).toBeNull();
        expect(validatePayment(terms, { ...terms, amountMist: amountMist + 1n })).not.toBeNull();
      }),
      runs(60),
    );
  });

  const pay = (tx: Transaction, to: string, amountMist: bigint) =>
    tx.transferObjects([tx.splitCoins(tx.gas, [amountMist])], to);

  const objectOf = (tx: Transaction) =>
    tx.objectRef({ objectId: recipient, version: '1', digest: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' });
  /** The fee in two coins, of which `taken` go to the recipient. */
  const payInTwo = (tx: Transaction, ...taken: number[]) => {
    const coins = tx.splitCoins(tx.gas, [FEE_MIST - 5n, 5n]);
    const objects = taken.flatMap((at) => coins[at] ?? []);
    tx.transferObjects(objects, recipient);
  };
  it('a payment may take its amount from several coins [R16]', async () => {
    expect(await errorOf((tx) => payInTwo(tx, 1, 0))).toBeNull();
  });

  const MORE = 'The transaction does more than pay';
  const KEEPS = 'The transaction keeps part of the payment';
  const TWICE = 'The transaction uses a coin twice';
  const UNSHOWN = 'The transaction pays an amount that its bytes do not show';
  const UNREADABLE = 'The transaction cannot be read';
  const OBJECTS = 'The transaction uses other objects';

  it.each<[what: string, reason: string, build: (tx: Transaction) => void]>([
    ['1 MIST short', 'The transaction pays another amount', (tx) => pay(tx, recipient, FEE_MIST - 1n)],
    ['1 MIST too much', 'The transaction pays another amount', (tx) => pay(tx, recipient, FEE_MIST + 1n)],
    ['another recipient', 'The transaction pays another wallet', (tx) => pay(tx, stranger, FEE_MIST)],
    [
      'another sender',
      'The transaction is from another wallet',
      (tx) => (tx.setSender(stranger), pay(tx, recipient, FEE_MIST)),
    ],
    [
      'gas paid by another wallet',
      'Another wallet pays the gas of this transaction',
      (tx) => (tx.setGasOwner(stranger), pay(tx, recipient, FEE_MIST)),
    ],
    ['nothing', 'This is not a payment', () => undefined],
    ['a split alone', KEEPS, (tx) => tx.splitCoins(tx.gas, [FEE_MIST])],
    [
      'two payments',
      'The transaction pays another amount',
      (tx) => (pay(tx, recipient, FEE_MIST), pay(tx, recipient, FEE_MIST)),
    ],
    [
      'a payment and a gift to a stranger',
      UNSHOWN,
      (tx) => (pay(tx, recipient, FEE_MIST), tx.transferObjects([tx.gas], stranger)),
    ],
    [
      'a call after the payment',
      MORE,
      (tx) => (pay(tx, recipient, FEE_MIST), tx.moveCall({ target: '0x2::foo::bar' })),
    ],
    ['an object in place of a coin', UNSHOWN, (tx) => tx.transferObjects([objectOf(tx)], recipient)],
    ['the whole gas coin', UNSHOWN, (tx) => tx.transferObjects([tx.gas], recipient)],
    [
      'a coin that is not the gas coin',
      OBJECTS,
      (tx) => tx.transferObjects([tx.splitCoins(objectOf(tx), [FEE_MIST])], recipient),
    ],
    ['an object among the inputs', OBJECTS, (tx) => (objectOf(tx), pay(tx, recipient, FEE_MIST))],
    ['part of the split kept back', KEEPS, (tx) => payInTwo(tx, 0)],
    ['one part of the split twice', TWICE, (tx) => payInTwo(tx, 0, 0)],
    ['both parts, and one of them again', TWICE, (tx) => payInTwo(tx, 0, 1, 1)],
    [
      'the whole split beside a part of it',
      UNREADABLE,
      (tx) => {
        const coins = tx.splitCoins(tx.gas, [FEE_MIST - 5n, 5n]);
        tx.transferObjects([coins, coins[1]], recipient);
      },
    ],
    [
      'a result of another command',
      UNREADABLE,
      (tx) => {
        tx.splitCoins(tx.gas, [FEE_MIST]);
        tx.transferObjects([{ $kind: 'NestedResult', NestedResult: [1, 0] }], recipient);
      },
    ],
    [
      'the gas coin beside part of the split',
      UNSHOWN,
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [FEE_MIST, 5n])[0], tx.gas], recipient),
    ],
    [
      'an amount that is no u64',
      UNREADABLE,
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [tx.pure.u128(FEE_MIST)])], recipient),
    ],
    [
      'an address that is none',
      UNREADABLE,
      (tx) => tx.transferObjects([tx.splitCoins(tx.gas, [FEE_MIST])], tx.pure.u64(1)),
    ],
  ])('refuses %s: %s [R16]', async (_what, reason, build) => {
    expect(await errorOf(build)).toBe(reason);
  });

  const SUI = '0x2::sui::SUI';
  const COIN = '0x5::snaps::SNAPS';
  const call = (tx: Transaction, target: string, args: TransactionArgument[], type = SUI) =>
    tx.moveCall({ target: `0x2::${target}`, typeArguments: [type], arguments: args });
  const redeem = (tx: Transaction, form: 'coin' | 'balance', amount = FEE_MIST, type = SUI) =>
    call(tx, `${form}::redeem_funds`, [tx.withdrawal({ amount, type })], type);
  const send = (tx: Transaction, form: 'coin' | 'balance', what: TransactionArgument, to = recipient, type = SUI) =>
    call(tx, `${form}::send_funds`, [what, tx.pure.address(to)], type);
  /** Gas from the address balance, too: nothing that the transaction spends has a version. */
  const withoutCoins = (tx: Transaction) => (tx.setGasPayment([]), tx.setExpiration({ ValidDuring: WINDOW }));

  it.each<[what: string, build: (tx: Transaction) => void]>([
    ['an address balance to a coin', (tx) => tx.transferObjects([redeem(tx, 'coin')], recipient)],
    ['an address balance to another one', (tx) => send(tx, 'balance', redeem(tx, 'balance'))],
    ['the gas coin to an address balance', (tx) => send(tx, 'coin', tx.splitCoins(tx.gas, [FEE_MIST]))],
    [
      'a coin turned into a balance',
      (tx) => send(tx, 'balance', call(tx, 'coin::into_balance', [tx.splitCoins(tx.gas, [FEE_MIST])])),
    ],
    [
      'a balance turned into a coin',
      (tx) => tx.transferObjects([call(tx, 'coin::from_balance', [redeem(tx, 'balance')])], recipient),
    ],
    [
      'part of a withdrawal, with the rest sent back',
      (tx) => {
        const all = redeem(tx, 'coin', FEE_MIST + 7n);
        tx.transferObjects([tx.splitCoins(all, [FEE_MIST])], recipient);
        send(tx, 'coin', all, sender);
      },
    ],
    [
      'both at once, merged',
      (tx) => {
        const part = tx.splitCoins(tx.gas, [5n]);
        tx.mergeCoins(part, [redeem(tx, 'coin', FEE_MIST - 5n)]);
        tx.transferObjects([part], recipient);
      },
    ],
    [
      'both at once, apart',
      (tx) => {
        send(tx, 'balance', redeem(tx, 'balance', FEE_MIST - 5n));
        tx.transferObjects([tx.splitCoins(tx.gas, [5n])], recipient);
      },
    ],
    ['a coin object that a call names as SUI', (tx) => send(tx, 'coin', tx.splitCoins(objectOf(tx), [FEE_MIST]))],
    ['an address balance, gas included', (tx) => (withoutCoins(tx), send(tx, 'balance', redeem(tx, 'balance')))],
  ])('takes a payment from %s [R82 R16]', async (_what, build) => {
    expect(await errorOf(build)).toBeNull();
  });

  const ENDLESS = 'The transaction spends no coin, so it has to name its chain and its last epoch';
  /** A gas coin that is part of the address balance in another form. */
  const RESERVATION = {
    objectId: stranger,
    version: '0',
    digest: toBase58(Uint8Array.from({ length: 32 }, (_, at) => (at < 12 ? 1 : 0xac))),
  };

  it.each<[what: string, reason: string, build: (tx: Transaction) => void]>([
    [
      'another coin',
      'The transaction does not pay in SUI',
      (tx) => send(tx, 'balance', redeem(tx, 'balance', FEE_MIST, COIN), recipient, COIN),
    ],
    ['a withdrawal that it keeps', KEEPS, (tx) => (redeem(tx, 'coin'), pay(tx, recipient, FEE_MIST))],
    ['a withdrawal without use', OBJECTS, (tx) => (tx.withdrawal({ amount: 1n }), pay(tx, recipient, FEE_MIST))],
    [
      'less than it withdraws, with the rest for a stranger',
      'The transaction pays more than one wallet',
      (tx) => {
        const all = redeem(tx, 'coin', FEE_MIST + 7n);
        tx.transferObjects([tx.splitCoins(all, [FEE_MIST])], recipient);
        send(tx, 'coin', all, stranger);
      },
    ],
    [
      'more than it withdraws',
      'The transaction pays more than it withdraws',
      (tx) => {
        const all = redeem(tx, 'coin', FEE_MIST - 1n);
        tx.transferObjects([tx.splitCoins(all, [FEE_MIST])], recipient);
      },
    ],
    [
      'one withdrawal twice',
      TWICE,
      (tx) => {
        const withdrawal = tx.withdrawal({ amount: FEE_MIST });
        for (const to of [recipient, sender]) send(tx, 'coin', call(tx, 'coin::redeem_funds', [withdrawal]), to);
      },
    ],
    [
      'the balance of another wallet',
      'The transaction spends the balance of another wallet',
      (tx) => send(tx, 'coin', call(tx, 'coin::redeem_funds', [tx.withdrawal({ amount: FEE_MIST, from: 'sponsor' })])),
    ],
    ['a balance handled as a coin', UNREADABLE, (tx) => tx.transferObjects([redeem(tx, 'balance')], recipient)],
    [
      'two coins merged',
      'The transaction mixes two coins',
      (tx) => {
        const fee = redeem(tx, 'coin');
        tx.mergeCoins(fee, [redeem(tx, 'coin', 1n, COIN)]);
        tx.transferObjects([fee], recipient);
      },
    ],
    [
      'no coin, without an expiration',
      ENDLESS,
      (tx) => (tx.setGasPayment([]), tx.setExpiration({ None: true }), send(tx, 'balance', redeem(tx, 'balance'))),
    ],
    [
      'no coin, until an epoch of any chain',
      ENDLESS,
      (tx) => (tx.setGasPayment([RESERVATION]), tx.setExpiration({ Epoch: 5 }), pay(tx, recipient, FEE_MIST)),
    ],
  ])('refuses to be paid with %s: %s [R82 R16]', async (_what, reason, build) => {
    expect(await errorOf(build)).toBe(reason);
  });

  it('refuses bytes that are not exactly one transaction [R16]', async () => {
    const bytes = await build(buildPayment(agreed));
    expect(readPayment(bytes)).toHaveProperty('terms');
    for (const wrong of [
      new Uint8Array(),
      new Uint8Array([1, 2, 3]),
      bytes.slice(0, -1),
      new Uint8Array([...bytes, 0]),
    ])
      expect(readPayment(wrong)).toEqual({ error: 'This is not a Sui transaction' });
  });

  it('a changed byte gives another digest or no payment [R16]', async () => {
    const bytes = await build(buildPayment(agreed));
    const digests = Array.from(bytes, (byte, at) => {
      const reading = readPayment(bytes.with(at, byte ^ 1));
      return 'digest' in reading ? reading.digest : `none ${at}`;
    });
    expect(new Set([...digests, await buildDigest(bytes)]).size).toBe(bytes.length + 1);
  });
});

const SUI = '0x2::sui::SUI';
const NOW = Date.parse('2026-06-01T12:00:00Z');
const GAS = 1000n;
type Change = [address: string, amount: bigint, coinType?: string];
interface Facts {
  /** Changes of balance in MIST by wallet. */
  moved?: { payer?: bigint; recipient?: bigint; stranger?: bigint };
  more?: Change[];
  gasOwner?: string;
  from?: string;
  success?: boolean;
  timestampMs?: number | null;
}
const PLAIN: Facts['moved'] = { payer: -FEE_MIST - GAS, recipient: FEE_MIST };

/** The part of an executed transaction that verifyPayment reads. The gas is made of four different numbers. */
function executed(facts: Facts): ExecutedTransaction {
  const { moved = {}, more = [], gasOwner, from = sender, success = true, timestampMs = NOW } = facts;
  const wallets: Array<[string, bigint | undefined]> = [
    [sender, moved.payer],
    [recipient, moved.recipient],
    [stranger, moved.stranger],
  ];
  const changes: Change[] = wallets.flatMap(([address, amount]): Change[] => (amount ? [[address, amount]] : []));
  const transaction: unknown = {
    digest: 'd',
    status: { success, error: null },
    timestampMs,
    transaction: { sender: from, gasData: { owner: gasOwner ?? from } },
    effects: { gasUsed: { computationCost: '400', storageCost: '900', storageRebate: '300' } },
    balanceChanges: [...changes, ...more].map(([address, amount, coinType = SUI]) => ({
      address,
      amount: String(amount),
      coinType,
    })),
  };
  return transaction as ExecutedTransaction;
}

describe('verifyPayment', () => {
  test.each<[string, Facts]>([
    ['the plain payment', { moved: PLAIN }],
    ['outputs over several coins', { moved: { ...PLAIN, recipient: FEE_MIST - 7n }, more: [[recipient, 7n]] }],
    ['more than the fee', { moved: { payer: -FEE_MIST - GAS - 1n, recipient: FEE_MIST + 1n } }],
    [
      'a stranger who sponsors the gas only',
      { gasOwner: stranger, moved: { payer: -FEE_MIST, recipient: FEE_MIST, stranger: -GAS } },
    ],
  ])('accepts %s [R17]', (_name, facts) => {
    expect(verifyPayment(executed(facts), agreed)).toMatchObject({ paid: true });
  });

  const OTHER_COIN = { moved: { payer: -GAS }, more: [[recipient, FEE_MIST, '0x3::fake::SUI']] } satisfies Facts;

  test.each<[string, string, Facts]>([
    ['failed_on_chain', 'a failed transaction', { success: false, moved: { payer: -GAS } }],
    ['wrong_sender', 'another sender', { from: stranger, moved: { stranger: -FEE_MIST - GAS, recipient: FEE_MIST } }],
    ['amount_too_small', '1 MIST short', { moved: { payer: -FEE_MIST - GAS + 1n, recipient: FEE_MIST - 1n } }],
    ['amount_too_small', 'another recipient', { moved: { payer: -FEE_MIST - GAS, stranger: FEE_MIST } }],
    ['amount_too_small', 'another coin', OTHER_COIN],
    ['amount_too_small', 'a coin whose name looks like SUI', { more: [[recipient, FEE_MIST, '0x20::sui::SUI']] }],
    ['amount_too_small', 'a refund in the same transaction', { moved: PLAIN, more: [[recipient, -1n]] }],
    [
      'not_from_payer',
      'a sponsor who pays the fee, too',
      { gasOwner: stranger, moved: { stranger: -FEE_MIST - GAS, recipient: FEE_MIST } },
    ],
    [
      'not_from_payer',
      'a sponsor who pays 1 MIST of the fee',
      { gasOwner: stranger, moved: { payer: -FEE_MIST + 1n, stranger: -GAS - 1n, recipient: FEE_MIST } },
    ],
    [
      'not_from_payer',
      '1 MIST from another wallet while the payer pays the gas',
      { moved: { payer: -FEE_MIST - GAS + 1n, stranger: -1n, recipient: FEE_MIST } },
    ],
    ['recipient_sponsored_gas', 'gas paid by the recipient', { gasOwner: recipient, moved: PLAIN }],
    ['too_old', 'a transaction of more than a day ago', { timestampMs: NOW - 86_600_000, moved: PLAIN }],
  ])('refuses with %s: %s [R17]', (rejection, _name, facts) => {
    expect(verifyPayment(executed(facts), agreed, { notBeforeMs: NOW - 86_400_000 })).toMatchObject({
      paid: false,
      rejection,
    });
  });

  test('accepts clocks of chain and server that differ by up to two minutes [R17]', () => {
    const notBeforeMs = NOW - 86_400_000;
    const verify = (timestampMs: number | null) =>
      verifyPayment(executed({ timestampMs, moved: PLAIN }), agreed, { notBeforeMs });
    expect(verify(notBeforeMs - 120_000)).toMatchObject({ paid: true });
    expect(verify(notBeforeMs - 120_001)).toMatchObject({ paid: false, rejection: 'too_old', receivedMist: FEE_MIST });
    // Not indexed yet, so its time is now.
    expect(verify(null)).toMatchObject({ paid: true });
    expect(verifyPayment(executed({ timestampMs: 0, moved: PLAIN }), agreed)).toMatchObject({ paid: true });
  });

  test('credits nothing for a failed transaction, even if its record shows a payment [R17]', () => {
    const tx = executed({ success: false, moved: { recipient: FEE_MIST } });
    expect(verifyPayment(tx, agreed)).toEqual({ paid: false, rejection: 'failed_on_chain', receivedMist: 0n });
  });

  test('refuses a payment to oneself [R17 R18]', () => {
    const own = executed({ moved: { payer: -GAS } });
    expect(verifyPayment(own, { ...agreed, recipient: sender })).toMatchObject({ rejection: 'payer_is_recipient' });
  });
});

describe('completeness of balance changes', () => {
  const fake: Change = [recipient, 7n, '0x3::fake::SUI'];

  test.each<[complete: boolean, what: string, Facts]>([
    [true, 'a plain payment', { moved: PLAIN }],
    [true, 'a payment with a gift of another coin', { moved: PLAIN, more: [fake] }],
    [true, 'a failed transaction', { success: false }],
    [true, 'a payment to oneself, which loses the gas', { moved: { payer: -GAS } }],
    [false, 'no changes', {}],
    [false, 'a loss without a gain', { moved: { payer: -FEE_MIST - GAS } }],
    [false, 'a gain without a loss', { moved: { recipient: FEE_MIST } }],
    [false, 'changes of another coin alone', { more: [fake] }],
  ])('a record is complete (%s): %s [R16 R17]', (complete, _what, facts) => {
    expect(isComplete(executed(facts))).toBe(complete);
  });

  test('a record without changes is incomplete even when gas was free [R16 R17]', () => {
    const empty = executed({});
    const gasUsed = { ...empty.effects.gasUsed, computationCost: '500', storageCost: '0', storageRebate: '500' };
    expect(isComplete({ ...empty, effects: { ...empty.effects, gasUsed } })).toBe(false);
  });

  const SHORT_FORM: Change = ['0xA', -6n];
  const LONG_FORM: Change = [`0x${'a'.padStart(64, '0')}`, -5n];

  test.each<[what: string, payer: string | null, Facts]>([
    ['the sender', sender, { moved: PLAIN }],
    ['a sponsor', stranger, { moved: { payer: -1n, stranger: -FEE_MIST - 999n, recipient: FEE_MIST } }],
    ['a wallet that paid in parts', sender, { moved: { payer: -6n, stranger: -10n }, more: [[sender, -5n]] }],
    ['an address in two forms', '0xa', { moved: { stranger: -10n }, more: [SHORT_FORM, LONG_FORM] }],
    ['no wallet for a gain without a loss', null, { moved: { recipient: FEE_MIST } }],
  ])('a record names the wallet that paid most: %s [R17]', (_what, payer, facts) => {
    expect(payerOf(executed(facts))).toBe(payer && normalizeAddress(payer));
  });
});

test('a transaction that the node executed but has not indexed yet does not count as unseen [R17 R82]', async () => {
  const client = createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' });
  const executed = { checkpoint: null, balanceChanges: [] } as Partial<ExecutedTransaction> as ExecutedTransaction;
  client.core.getTransaction = () => Promise.resolve({ $kind: 'Transaction', Transaction: executed } as never);
  expect(await lookUpTransaction(client, DIGEST)).toEqual({ state: 'unindexed' });
});

test('a digest is 32 bytes in base58 [R17]', async () => {
  expect(isDigest('4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S')).toBe(true);
  for (const text of [
    '',
    'abc',
    '0OIl',
    '1'.repeat(31),
    '1'.repeat(33),
    'z'.repeat(44),
    '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S ',
  ])
    expect(isDigest(text)).toBe(false);
});
