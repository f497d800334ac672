import type { SuiClientTypes } from '@mysten/sui/client';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction, type TransactionArgument } from '@mysten/sui/transactions';
import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { createSuiClient } from './client.ts';
import type { ExecutedTransaction } from './transactions.ts';
import { buildPayment } from './payment.ts';
import {
  bindToEpoch,
  buildPayout,
  validateLife,
  validateCoin,
  validatePayout,
  readPayout,
  type Transfer,
  unpaidRecipients,
} from './payout.ts';
import { type CoinLister, NotEnoughCoinsError, readPayable } from './funds.ts';

const DIGEST = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
const OTHER_CHAIN = '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD';
const ENDLESS = 'The transaction spends no coin, so it has to name its chain and its last epoch';
const SNAPS = '0x5::snaps::SNAPS';
const sender = new Ed25519Keypair().toSuiAddress();
const alice = new Ed25519Keypair().toSuiAddress();
const bob = new Ed25519Keypair().toSuiAddress();
const stranger = new Ed25519Keypair().toSuiAddress();
const transfers: Transfer[] = [
  { address: alice, amountUnits: 50_000_000n },
  { address: bob, amountUnits: 70_000_000n },
];
const agreed = { sender, coinType: SNAPS, transfers };

const coinId = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;

const clientWith = (...coins: bigint[]): CoinLister => clientOf(coins);

/** A client whose wallet holds coins of these balances, in pages of at least two, and an address balance. */
function clientOf(balances: bigint[], addressBalance = 0n): CoinLister {
  const coinBalance = balances.reduce((sum, balance) => sum + balance, 0n);
  const coins = balances.map(
    (balance, n) =>
      ({ objectId: coinId(n + 1), version: '7', digest: DIGEST, balance: String(balance) }) as SuiClientTypes.Coin,
  );
  return {
    core: {
      listCoins: async ({ cursor }) => {
        const from = Number(cursor ?? 0);
        const to = from + Math.max(2, coins.length / 40);
        return { objects: coins.slice(from, to), hasNextPage: to < coins.length, cursor: String(to) };
      },
      getBalance: () =>
        Promise.resolve({
          balance: {
            coinType: SNAPS,
            balance: String(coinBalance + addressBalance),
            coinBalance: String(coinBalance),
            addressBalance: String(addressBalance),
          },
        }),
    },
  };
}

function finish(transaction: Transaction): Promise<Uint8Array<ArrayBuffer>> {
  transaction.setSenderIfNotSet(sender);
  transaction.setGasPrice(1000);
  transaction.setGasBudget(50_000_000);
  if (!transaction.getData().gasData.payment)
    transaction.setGasPayment([{ objectId: coinId(99_999), version: '7', digest: DIGEST }]);
  const client = createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' });
  client.core.getBalance = clientWith().core.getBalance;
  return transaction.build({ client });
}

async function errorOf(transaction: Transaction): Promise<string | null> {
  const reading = readPayout(await finish(transaction));
  return 'error' in reading ? reading.error : validatePayout(reading, agreed);
}

const addressOf = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => `0x${Buffer.from(b).toString('hex')}`);
const transferOf = fc.record({ address: addressOf, amountUnits: fc.bigInt(1n, 2n ** 50n) });

describe('buildPayout and readPayout [R33]', () => {
  it('a payout that was built is read back, for any set of recipients and any sufficient coins', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(transferOf, { minLength: 1, maxLength: 30 }),
        fc.array(fc.bigInt(0n, 2n ** 52n), { maxLength: 7 }),
        fc.constantFrom(SNAPS, '0x2::sui::SUI'),
        async (list, small, coinType) => {
          const terms = { sender, coinType, transfers: list };
          const transaction = await buildPayout(clientWith(...small, 2n ** 56n), terms);
          const reading = readPayout(await finish(transaction));
          expect(reading).toMatchObject({ digest: await transaction.getDigest(), sender, transfers: list });
          if ('error' in reading) throw new Error(reading.error);
          expect(validatePayout(reading, terms)).toBeNull();
        },
      ),
      runs(40),
    );
  });

  const payFrom = (coins: bigint[], amountUnits: bigint) =>
    buildPayout(clientWith(...coins), { ...agreed, transfers: [{ address: alice, amountUnits }] });

  it('takes the largest coins first, and reports the missing amount', async () => {
    const oneUnitShort = payFrom([10n, 5n, 100n], 116n);
    await expect(oneUnitShort).rejects.toMatchObject({ heldUnits: 115n, neededUnits: 116n });
    await expect(oneUnitShort).rejects.toBeInstanceOf(NotEnoughCoinsError);
    await expect(buildPayout(clientWith(), agreed)).rejects.toBeInstanceOf(NotEnoughCoinsError);
    const enough = await payFrom([5n, 6n, 5n], 11n);
    expect(readPayout(await finish(enough))).toMatchObject({ coinIds: [coinId(2), coinId(1)] });
  });

  it('pays from an address balance what the coins lack, and reports a wallet that owns less than both [R82]', async () => {
    const paidFrom = async (coins: bigint[], addressBalance: bigint) => {
      const reading = readPayout(await finish(await buildPayout(clientOf(coins, addressBalance), agreed)));
      if ('error' in reading) throw new Error(reading.error);
      expect(validatePayout(reading, agreed)).toBeNull();
      return { coins: reading.coinIds.length, unnamed: reading.unnamedCoinIds.length };
    };
    expect(await paidFrom([40_000_000n, 50_000_000n], 30_000_000n)).toEqual({ coins: 2, unnamed: 0 });
    expect(await paidFrom([], 5_000_000_000_000n)).toEqual({ coins: 0, unnamed: 0 });
    expect(await paidFrom([], 120_000_000n)).toEqual({ coins: 0, unnamed: 0 });
    expect(await paidFrom([200_000_000n], 5_000_000_000_000n)).toEqual({ coins: 1, unnamed: 1 });
    const short = buildPayout(clientOf([40_000_000n], 79_999_999n), agreed);
    await expect(short).rejects.toMatchObject({ heldUnits: 119_999_999n, neededUnits: 120_000_000n });
    await expect(buildPayout(clientWith(), agreed)).rejects.toThrow('The wallet does not hold enough');
  });

  it('takes the largest thousand of ten thousand small coins, and reports when they are too little [R82]', async () => {
    const coins = Array.from({ length: 10_000 }, (_, n) => (n < 9_000 ? 1n : 2n));
    const reading = readPayout(await finish(await payFrom(coins, 2_000n)));
    expect('coinIds' in reading ? reading.coinIds : []).toHaveLength(1_000);
    const build = payFrom(coins, 2_001n);
    await expect(build).rejects.toMatchObject({ heldUnits: 11_000n, neededUnits: 2_001n });
    await expect(build).rejects.toThrow(/too many small coins/);
    const client = clientOf(coins, 10n);
    expect(await readPayable(client, { owner: sender, coinType: SNAPS, neededUnits: 5_000n })).toBe(2_010n);
  });

  it('binds a payout to the present epoch, and rejects one that lives longer or has ended [R82]', async () => {
    const moment = { chainId: DIGEST, epoch: 7n };
    const errorOf = async (change: (tx: Transaction) => void, addressBalance = 0n) => {
      const tx = await buildPayout(clientOf(addressBalance > 0n ? [] : [10n ** 9n], addressBalance), agreed);
      if (addressBalance > 0n) tx.setGasPayment([]);
      change(tx);
      const reading = readPayout(await finish(tx));
      if ('error' in reading) throw new Error(reading.error);
      return validateLife(reading, moment);
    };
    const bound =
      (hasAddressBalance: boolean, epoch = 7n) =>
      (tx: Transaction) =>
        bindToEpoch(tx, { ...moment, epoch, hasAddressBalance });
    const TOO_LONG = 'The transaction has to expire with the present epoch. Prepare the payout again';
    for (const [error, change, addressBalance] of [
      [null, bound(false), 0n],
      [null, bound(true), 0n],
      [null, bound(true), 10n ** 9n],
      [null, bound(true, 8n), 10n ** 9n],
      [TOO_LONG, () => undefined, 0n],
      [TOO_LONG, bound(true, 9n), 10n ** 9n],
      ['The transaction has expired. Prepare the payout again', bound(false, 6n), 0n],
      [ENDLESS, bound(false), 10n ** 9n],
      [ENDLESS, (tx) => tx.setExpiration({ None: true }), 10n ** 9n],
      [
        'The transaction is for another chain',
        (tx) => bindToEpoch(tx, { chainId: OTHER_CHAIN, epoch: 7n, hasAddressBalance: true }),
        0n,
      ],
    ] as Array<[string | null, (tx: Transaction) => void, bigint]>)
      expect(await errorOf(change, addressBalance)).toBe(error);
    const nonces = [new Transaction(), new Transaction()].map((tx) => {
      bound(true)(tx);
      return tx.getData().expiration?.ValidDuring?.nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  const coin = (tx: Transaction, n = 1) => tx.objectRef({ objectId: coinId(n), version: '7', digest: DIGEST });
  const pay = (
    tx: Transaction,
    list: readonly Transfer[],
    source: Parameters<Transaction['splitCoins']>[0] = coin(tx),
  ) => {
    const coins = tx.splitCoins(
      source,
      list.map(({ amountUnits }) => amountUnits),
    );
    for (const [at, { address }] of list.entries()) {
      const part = coins[at];
      if (part) tx.transferObjects([part], address);
    }
    return coins;
  };
  const [toAlice, toBob] = transfers;
  if (!toAlice || !toBob) throw new Error('two transfers');
  const splitInTwo = (tx: Transaction) => tx.splitCoins(coin(tx), [toAlice.amountUnits, toBob.amountUnits]);
  const call = (tx: Transaction, name: string, args: TransactionArgument[]) =>
    tx.moveCall({ target: `0x2::coin::${name}`, typeArguments: [SNAPS], arguments: args });
  /** Gives each wallet these parts of the split. */
  const give = (
    tx: Transaction,
    ...gifts: [to: string, ...parts: (Parameters<Transaction['transferObjects']>[0][number] | undefined)[]][]
  ) => {
    for (const [to, ...parts] of gifts)
      tx.transferObjects(
        parts.filter((part) => part !== undefined),
        to,
      );
  };

  it.each<[what: string, build: (tx: Transaction) => void]>([
    ['from one coin', (tx) => pay(tx, transfers)],
    ['with other coins merged', (tx) => (tx.mergeCoins(coin(tx, 2), [coin(tx, 3)]), pay(tx, transfers))],
    ['with a coin merged into the gas coin', (tx) => (tx.mergeCoins(tx.gas, [coin(tx, 3)]), pay(tx, transfers))],
    [
      'from two coins and the address balance, to one address balance [R82]',
      (tx) => {
        const [first, second] = [coin(tx, 1), coin(tx, 2)];
        const withdrawal = tx.withdrawal({ amount: 7n, type: SNAPS });
        tx.mergeCoins(first, [second, call(tx, 'redeem_funds', [withdrawal])]);
        const [one, two] = tx.splitCoins(first, [toAlice.amountUnits, toBob.amountUnits]);
        if (one && two) tx.transferObjects([one], alice);
        if (two) call(tx, 'send_funds', [two, tx.pure.address(bob)]);
      },
    ],
  ])('takes the agreed payout when it was built %s', async (_what, build) => {
    const tx = new Transaction();
    build(tx);
    expect(await errorOf(tx)).toBeNull();
  });

  const PAYS_OTHERS = 'The transaction pays other wallets or other amounts';
  const MORE = 'The transaction does more than pay';
  const UNSHOWN = 'The transaction pays an amount that its bytes do not show';
  const UNREADABLE = 'The transaction cannot be read';
  const TWICE = 'The transaction uses a coin twice';
  const KEEPS = 'The transaction keeps part of the payment';
  const NO_PAYOUT = 'The transaction is not a payout';
  const OBJECTS = 'The transaction uses other objects';

  it.each<[what: string, reason: string, build: (tx: Transaction) => void]>([
    ['one unit less', PAYS_OTHERS, (tx) => pay(tx, [toAlice, { ...toBob, amountUnits: toBob.amountUnits - 1n }])],
    ['one unit more', PAYS_OTHERS, (tx) => pay(tx, [toAlice, { ...toBob, amountUnits: toBob.amountUnits + 1n }])],
    ['one left out', PAYS_OTHERS, (tx) => pay(tx, [toAlice])],
    ['one twice', PAYS_OTHERS, (tx) => pay(tx, [toAlice, toBob, toBob])],
    ['another order', PAYS_OTHERS, (tx) => pay(tx, [toBob, toAlice])],
    [
      'the amounts exchanged',
      PAYS_OTHERS,
      (tx) =>
        pay(tx, [
          { ...toBob, address: alice },
          { ...toAlice, address: bob },
        ]),
    ],
    ['a stranger instead', PAYS_OTHERS, (tx) => pay(tx, [toAlice, { ...toBob, address: stranger }])],
    ['a stranger besides', PAYS_OTHERS, (tx) => pay(tx, [...transfers, { address: stranger, amountUnits: 1n }])],
    [
      'the rest of the coin for a stranger',
      UNSHOWN,
      (tx) => {
        const source = coin(tx, 1);
        pay(tx, transfers, source);
        tx.transferObjects([source], stranger);
      },
    ],
    ['gas money for a stranger', UNSHOWN, (tx) => (pay(tx, transfers), tx.transferObjects([tx.gas], stranger))],
    [
      'another object for a stranger',
      UNSHOWN,
      (tx) => (pay(tx, transfers), tx.transferObjects([coin(tx, 2)], stranger)),
    ],
    ['an object that nothing uses', OBJECTS, (tx) => (coin(tx, 2), pay(tx, transfers))],
    ['a call besides', MORE, (tx) => (pay(tx, transfers), tx.moveCall({ target: '0x2::foo::bar' }))],
    ['a second payout', PAYS_OTHERS, (tx) => (pay(tx, transfers), pay(tx, transfers, coin(tx, 2)))],
    [
      'a second payout from the same coin',
      PAYS_OTHERS,
      (tx) => {
        const source = coin(tx);
        pay(tx, transfers, source);
        pay(tx, transfers, source);
      },
    ],
    ['from the gas coin, in SUI', 'The transaction pays in another coin', (tx) => pay(tx, transfers, tx.gas)],
    [
      'from another wallet',
      'The transaction is from another wallet',
      (tx) => (tx.setSender(stranger), pay(tx, transfers)),
    ],
    [
      'gas paid by another wallet',
      'Another wallet pays the gas of this transaction',
      (tx) => (tx.setGasOwner(stranger), pay(tx, transfers)),
    ],
    [
      'a merge, and a split of one of the merged coins',
      TWICE,
      (tx) => {
        const [one, other] = [coin(tx, 2), coin(tx, 3)];
        tx.mergeCoins(one, [other]);
        pay(tx, transfers, other);
      },
    ],
    [
      'a merge, and a split of the gas coin',
      'The transaction pays in another coin',
      (tx) => (tx.mergeCoins(coin(tx, 2), [coin(tx, 3)]), pay(tx, transfers, tx.gas)),
    ],
    ['a part kept back', KEEPS, (tx) => give(tx, [alice, splitInTwo(tx)[0]])],
    [
      'both coins for one',
      UNSHOWN,
      (tx) => {
        const [one, two] = splitInTwo(tx);
        give(tx, [alice, one, two], [bob, tx.gas]);
      },
    ],
    [
      'the first part for both',
      TWICE,
      (tx) => {
        const [one] = splitInTwo(tx);
        give(tx, [alice, one], [bob, one]);
      },
    ],
    [
      'the whole split for each',
      UNREADABLE,
      (tx) => {
        const coins = splitInTwo(tx);
        for (const who of [alice, bob]) tx.transferObjects([coins], who);
      },
    ],
    [
      'a result of another command',
      UNREADABLE,
      (tx) => {
        tx.splitCoins(coin(tx), [toAlice.amountUnits]);
        tx.transferObjects([{ $kind: 'NestedResult', NestedResult: [1, 0] }], alice);
      },
    ],
    [
      'a part that was never split',
      UNREADABLE,
      (tx) => {
        pay(tx, transfers);
        tx.transferObjects([{ $kind: 'NestedResult', NestedResult: [0, 2] }], stranger);
      },
    ],
    [
      'a coin that is merged in twice',
      TWICE,
      (tx) => {
        const [into, twice] = [coin(tx, 1), coin(tx, 2)];
        tx.mergeCoins(into, [twice, twice]);
        pay(tx, transfers, into);
      },
    ],
    [
      'a part with the gas coin beside it',
      UNSHOWN,
      (tx) => {
        const [one, two] = splitInTwo(tx);
        give(tx, [alice, one, tx.gas], [bob, two]);
      },
    ],
    [
      'an amount that is no u64',
      UNREADABLE,
      (tx) => tx.transferObjects([tx.splitCoins(coin(tx), [tx.pure.u128(toAlice.amountUnits)])], alice),
    ],
    [
      'a shared object',
      OBJECTS,
      (tx) => pay(tx, transfers, tx.sharedObjectRef({ objectId: coinId(1), initialSharedVersion: 1, mutable: true })),
    ],
    ['nothing', NO_PAYOUT, () => undefined],
    ['a merge alone', NO_PAYOUT, (tx) => tx.mergeCoins(coin(tx, 2), [coin(tx, 3)])],
  ])('refuses %s: %s [R33]', async (_what, reason, build) => {
    const tx = new Transaction();
    build(tx);
    expect(await errorOf(tx)).toBe(reason);
  });

  it('refuses bytes that are not a transaction, a payment of SUI, and any changed byte', async () => {
    const bytes = await finish(await buildPayout(clientWith(10n ** 9n), agreed));
    for (const wrong of [new Uint8Array(), bytes.slice(1), bytes.slice(0, -1), new Uint8Array([...bytes, 0])])
      expect(readPayout(wrong)).toEqual({ error: 'This is not a Sui transaction' });
    const payment = buildPayment({ sender, recipient: alice, amountMist: 50_000_000n });
    expect(await errorOf(payment)).toBe('The transaction pays in another coin');
    const { digest } = readPayout(bytes) as { digest: string };
    for (let at = 0; at < bytes.length; at += 1) {
      const other = readPayout(bytes.with(at, (bytes[at] ?? 0) ^ 1));
      expect('digest' in other ? other.digest : null).not.toBe(digest);
    }
  });
});

describe('the coin that a payout is paid from', () => {
  const client = createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' });
  const getObjects = vi.spyOn(client.core, 'getObjects');
  const errorOf = async (object: Error | { type: string } | undefined, coinIds = [coinId(1), coinId(2)]) => {
    getObjects.mockClear();
    const objects = (object === undefined ? [] : [object]) as SuiClientTypes.GetObjectsResponse<object>['objects'];
    getObjects.mockResolvedValueOnce({ objects });
    const life = { spends: [], lastEpoch: 7n, chainId: DIGEST };
    const read = transfers.map((transfer) => ({ ...transfer, coinType: null }));
    return validateCoin(
      client,
      { digest: DIGEST, sender, coinIds, unnamedCoinIds: coinIds, transfers: read, life },
      SNAPS,
    );
  };

  test('a payout from another coin, or from a missing one, is refused [R33]', async () => {
    const OTHER = 'The transaction pays in another coin';
    for (const type of ['0x2::coin::Coin<0x6::snaps::SNAPS>', '0x2::coin::Coin<0x2::sui::SUI>', SNAPS])
      expect(await errorOf({ type })).toBe(OTHER);
    const GONE = 'The transaction pays from a coin that does not exist';
    for (const object of [undefined, new Error('deleted')]) expect(await errorOf(object)).toBe(GONE);
  });
});

describe('unpaidRecipients follows the record of the chain [R33]', () => {
  type Change = [address: string, amount: bigint, coinType?: string];
  interface Facts {
    toAlice?: bigint;
    toBob?: bigint;
    more?: Change[];
    success?: boolean;
  }
  function executed({ toAlice = 50_000_000n, toBob = 70_000_000n, more = [], success = true }: Facts) {
    const changes: Change[] = [[alice, toAlice], [bob, toBob], ...more];
    return {
      status: { success },
      transaction: { sender },
      balanceChanges: changes
        .filter(([, amount]) => amount !== 0n)
        .map(([address, amount, coinType = SNAPS]) => ({ address, amount: String(amount), coinType })),
    } as Partial<ExecutedTransaction> as ExecutedTransaction;
  }
  const unpaid = (facts: Facts, list = transfers) =>
    [...unpaidRecipients(executed(facts), { coinType: SNAPS, transfers: list })].sort();
  const none = { toAlice: 0n, toBob: 0n };
  const inCoin = (coinType: string): Facts => ({ toAlice: 0n, more: [[alice, 50_000_000n, coinType]] });

  test.each<[what: string, unpaid: string[], Facts]>([
    ['all are paid', [], { more: [[sender, -120_000_000n]] }],
    ['one is paid more than agreed', [], { toAlice: 60_000_000n }],
    ['one is paid one unit less', [alice], { toAlice: 49_999_999n }],
    ['one is not paid', [alice], { toAlice: 0n }],
    ['one is paid in another coin', [alice], inCoin('0x6::snaps::SNAPS')],
    ['one is paid in SUI', [alice], inCoin('0x2::sui::SUI')],
    ['the coin type is written in full', [], inCoin(`0x${'5'.padStart(64, '0')}::snaps::SNAPS`)],
    ['one is paid in two parts', [], { toAlice: 30_000_000n, more: [[alice, 20_000_000n]] }],
    ['one unit is taken back', [alice], { more: [[alice, -1n]] }],
    ['the transaction failed, with a made-up record', [alice, bob], { success: false }],
    ['the record is empty', [alice, bob], none],
  ])('names the recipients that were not paid when %s', (_what, short, facts) => {
    expect(unpaid(facts)).toEqual(short.toSorted());
  });

  test('two withdrawals of one wallet need the sum of both', () => {
    const twice = [...transfers, { address: alice, amountUnits: 1n }];
    expect(unpaid({}, twice)).toEqual([alice]);
    expect(unpaid({ toAlice: 50_000_001n }, twice)).toEqual([]);
  });

  test('the sender cannot gain by a transfer to itself', () => {
    const own = [{ address: sender, amountUnits: 5n }, ...transfers];
    expect(unpaid({ more: [[sender, -120_000_000n]] }, own)).toEqual([]);
    // When nothing was paid, the sender was not paid either.
    expect(unpaid({ ...none, success: false }, own)).toEqual([alice, bob, sender].sort());
  });
});
