import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { expect, test } from 'vitest';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { startChain } from '../testing/chain.ts';
import { fundPayouts } from './payout-wallet.ts';

test('the payout wallet of a demo gets coins and gas once [R79]', async () => {
  const chain = await startChain();
  try {
    const { accounts, demoCoin } = await fetchDemoAccounts(chain.faucetUrl);
    const demo = { adminSecretKey: accounts[0]?.secretKey ?? '', coin: demoCoin };
    const recipient = new Ed25519Keypair().toSuiAddress();
    const held = async (coinType: string) =>
      (await chain.client.core.getBalance({ owner: recipient, coinType })).balance.balance;
    for (let start = 0; start < 2; start += 1) await fundPayouts(recipient, { ...chain, demo });
    expect(await held(demoCoin.coinType)).toBe('10000000000');
    expect(await held('0x2::sui::SUI')).toBe('200000000000');
  } finally {
    await chain.stop();
  }
});
