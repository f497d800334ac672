import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { toBase64 } from '@mysten/sui/utils';
import type { Page } from '@playwright/test';
import type { Pool } from 'pg';
import { expectAccessible } from './accessibility.ts';
import { balanceMist, fundWallet, sandboxChain } from './chain.ts';
import { expect, type Fixtures, test } from './fixtures.ts';
import { addOwnProject, expectPaidOnce, openPayments, type Owner, renewButton, takeUp, toastOf } from './paying.ts';

/** Behavior of a wallet that signs and sends in one step; `gas`: it chooses gas of its own, so that its digest is new. */
interface Behaviour {
  does: 'tells' | 'closes after sending' | 'closes before sending' | 'declines';
  gas?: 'own';
}

/** Registers such a wallet in the page, as an extension does (R17). Its key and its way to the chain stay outside; digests come back. */
async function installWallet(page: Page, keypair: Ed25519Keypair, { does, gas }: Behaviour): Promise<string[]> {
  const client = sandboxChain();
  const sent: string[] = [];
  await page.exposeFunction('sendMade', async (json: string) => {
    if (does === 'declines') throw new Error('User rejected the request');
    if (does === 'closes before sending') throw new Error('The popup was closed by user');
    const transaction = Transaction.from(json);
    if (gas === 'own') transaction.setGasBudget(BigInt(transaction.getData().gasData.budget ?? 0) + 1_000n);
    const bytes = await transaction.build({ client });
    const { signature } = await keypair.signTransaction(bytes);
    const result = await client.executeTransaction({
      transaction: bytes,
      signatures: [signature],
      include: { effects: true },
    });
    const { digest, effects } = result.Transaction ?? result.FailedTransaction;
    sent.push(digest);
    if (does === 'closes after sending') throw new Error('The popup was closed by user');
    return { digest, signature, bytes: toBase64(bytes), effects: toBase64(effects.bcs ?? new Uint8Array()) };
  });
  await page.addInitScript(
    ({ address, publicKey }) => {
      const features = ['sui:signPersonalMessage', 'sui:signAndExecuteTransaction'];
      const account = { address, publicKey: Uint8Array.from(publicKey), chains: ['sui:localnet'], features };
      const { sendMade } = globalThis as unknown as { sendMade: (json: string) => Promise<object> };
      const wallet = {
        version: '1.0.0',
        name: 'Sending Wallet',
        icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
        chains: ['sui:localnet'],
        accounts: [account],
        features: {
          'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
          'standard:events': { version: '1.0.0', on: () => () => undefined },
          // The session exists already: no page asks for this.
          'sui:signPersonalMessage': {
            version: '1.1.0',
            signPersonalMessage: () => Promise.reject(new Error('unused')),
          },
          'sui:signAndExecuteTransaction': {
            version: '2.0.0',
            signAndExecuteTransaction: async ({ transaction }: { transaction: { toJSON: () => Promise<string> } }) =>
              sendMade(await transaction.toJSON()),
          },
        },
      };
      const register = (api: { register: (added: object) => void }) => api.register(wallet);
      addEventListener('wallet-standard:app-ready', (event) =>
        register((event as CustomEvent<{ register: (added: object) => void }>).detail),
      );
      dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
    },
    { address: keypair.toSuiAddress(), publicKey: [...keypair.getPublicKey().toRawBytes()] },
  );
  return sent;
}

async function renewWith(
  page: Page,
  { newUser, database }: { newUser: Fixtures['newUser']; database: Pool },
  behaviour: Behaviour,
): Promise<Owner & { sent: string[] }> {
  const keypair = new Ed25519Keypair();
  const sent = await installWallet(page, keypair, behaviour);
  const { id, address } = await newUser(keypair);
  await fundWallet(address);
  const name = await addOwnProject(database, id);
  const beforeMist = await balanceMist(address);
  await page.goto('/portfolio');
  await renewButton(page, name).click();
  await page
    .getByRole('dialog', { name: 'Connect Wallet' })
    .getByRole('button', { name: /Sending Wallet/ })
    .click();
  return { address, name, beforeMist, sent };
}

test('a payment whose popup is closed after the wallet has sent is found on chain [R17]', async ({
  page,
  newUser,
  database,
}) => {
  const owner = await renewWith(page, { newUser, database }, { does: 'closes after sending' });
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible();
  await expectPaidOnce(owner);
});

test('the page asks for an unknown digest, also after a reload, and finds the payment by it [R16 R17]', async ({
  page,
  newUser,
  database,
}) => {
  const owner = await renewWith(page, { newUser, database }, { does: 'closes after sending', gas: 'own' });
  await expect(openPayments(page).getByText('Did your wallet send this payment?')).toBeVisible();
  await expect(renewButton(page, owner.name)).toHaveCount(0);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Did your wallet send this payment?' })).toBeDisabled();
  await openPayments(page)
    .getByLabel('Transaction digest')
    .fill(owner.sent[0] ?? '');
  await openPayments(page).getByRole('button', { name: 'Find my payment' }).click();
  await expect(openPayments(page).getByText('Payment received, finishing…')).toBeVisible();
  await takeUp(database, owner.address);
  await expect(toastOf(page).getByText('Project renewed!')).toBeVisible({ timeout: 40_000 });
  await expect(openPayments(page)).toHaveCount(0);
  await expectPaidOnce(owner);
});

test('a payer who closed the popup before the wallet sent confirms it and may start again [R16 R17]', async ({
  page,
  newUser,
  database,
}) => {
  const owner = await renewWith(page, { newUser, database }, { does: 'closes before sending' });
  await openPayments(page).getByRole('button', { name: 'It was not sent' }).click();
  await expect(toastOf(page).getByText('Payment cancelled')).toBeVisible();
  await expect(renewButton(page, owner.name)).toBeEnabled();
  expect(await balanceMist(owner.address)).toBe(owner.beforeMist);
});
