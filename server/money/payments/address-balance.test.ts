import { Transaction } from '@mysten/sui/transactions';
import { expect, test } from 'vitest';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { fundedWallet, send, sharedChain, sign } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { executeSigned, newDraft, prepareSubmit, signedSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { emptyIntoBalance } from '#packages/sandbox/testing/own-coins.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';

const chain = sharedChain();
const server = await createTestApp();
const SUI = '0x2::sui::SUI';
const ADMIN = ADMIN_KEYPAIR.toSuiAddress();

/** A user whose SUI is in the address balance, except a coin of `coinMist`. */
async function payer(coinMist = 0n): Promise<TestUser> {
  const wallet = await fundedWallet(chain);
  const user = await newUser(server, wallet);
  await emptyIntoBalance(chain.client, wallet, { coinType: '0x5::none::NONE', rest: ADMIN });
  if (coinMist > 0n) {
    const giver = await fundedWallet(chain);
    const gift = new Transaction();
    gift.setSender(giver.toSuiAddress());
    gift.transferObjects([gift.splitCoins(gift.gas, [coinMist])], user.address);
    await send(chain, [giver], gift);
  }
  return user;
}

/** A payment in the form that the SDK documents for address balances. */
function toBalance(sender: string, mist: bigint): Transaction {
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.moveCall({
    target: '0x2::balance::send_funds',
    typeArguments: [SUI],
    arguments: [transaction.balance({ balance: mist }), transaction.pure.address(ADMIN)],
  });
  return transaction;
}

test('a fee is paid from an address balance, gas included, and lists the project once [R82 R16]', async () => {
  const user = await payer();
  const { draft, paymentId, signed } = await signedSubmit(chain, user);
  const { gasData, inputs } = Transaction.from(signed.bytes).getData();
  expect([gasData.payment, inputs.some(({ FundsWithdrawal }) => FundsWithdrawal)]).toEqual([[], true]);
  for (let round = 0; round < 2; round += 1)
    expect(await executeSigned(user, paymentId, signed)).toMatchObject({ status: 200 });
  expect((await submitPaid(user, draft, signed.digest)).status).toBe(201);
});

test('a fee is paid from coins and address balance together [R82 R16]', async () => {
  const user = await payer(2_000_000_000n);
  const draft = await newDraft();
  const { paymentId } = (await prepareSubmit(user, draft)).body;
  const part = SUBMIT_FEE_MIST - 1_000_000_000n;
  const both = new Transaction();
  both.setSender(user.address);
  const redeemed = both.moveCall({
    target: '0x2::coin::redeem_funds',
    typeArguments: [SUI],
    arguments: [both.withdrawal({ amount: part })],
  });
  both.mergeCoins(redeemed, [both.splitCoins(both.gas, [1_000_000_000n])]);
  both.transferObjects([redeemed], ADMIN);
  const signed = await sign(chain, user.wallet, both);
  expect((await executeSigned(user, paymentId, signed)).body).toMatchObject({ transactionHash: signed.digest });
  expect((await submitPaid(user, draft, signed.digest)).status).toBe(201);
});

test('a fee that goes to the address balance of the recipient counts, signed or found by its digest [R82 R17]', async () => {
  const [first, second] = [await payer(), await payer()];
  const draft = await newDraft();
  const { paymentId } = (await prepareSubmit(first, draft)).body;
  const signed = await sign(chain, first.wallet, toBalance(first.address, SUBMIT_FEE_MIST));
  expect((await executeSigned(first, paymentId, signed)).status).toBe(200);
  expect((await submitPaid(first, draft, signed.digest)).status).toBe(201);
  const other = await newDraft();
  const digest = await send(chain, [second.wallet], toBalance(second.address, SUBMIT_FEE_MIST));
  expect((await submitPaid(second, other, digest)).status).toBe(201);
});

test('a fee from an address balance that is too small, or pays less, is refused with its reason [R82 R16]', async () => {
  const user = await payer();
  const draft = await newDraft();
  const { paymentId } = (await prepareSubmit(user, draft)).body;
  await expect(sign(chain, user.wallet, toBalance(user.address, 500_000_000_000n))).rejects.toThrow(/nsufficient/);
  const short = await sign(chain, user.wallet, toBalance(user.address, SUBMIT_FEE_MIST - 1n));
  expect(await executeSigned(user, paymentId, short)).toMatchObject({
    status: 400,
    body: { message: 'The transaction pays another amount. Expected: 15 SUI and nothing else.' },
  });
});
