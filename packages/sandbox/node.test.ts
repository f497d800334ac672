import { requestSuiFromFaucetV2 } from '@mysten/sui/faucet';
import { fromBase58 } from '@mysten/sui/utils';
import { expect, test } from 'vitest';
import {
  balanceOf,
  control,
  demoAdmin,
  FAUCET_MIST,
  fundedAccount,
  newAddress,
  payment,
  sandboxForTest,
} from './testing/sandbox.ts';

test('the chain has an identifier, an epoch and a gas price like any other', async () => {
  const { client } = await sandboxForTest();
  const { chainIdentifier } = await client.getChainIdentifier();
  const { systemState } = await client.getCurrentSystemState();

  expect(fromBase58(chainIdentifier)).toHaveLength(32);
  expect((await client.getReferenceGasPrice()).referenceGasPrice).toBe('1000');
  expect(systemState).toMatchObject({ epoch: '1', referenceGasPrice: '1000', safeMode: false });
  expect((await client.getProtocolConfig()).protocolConfig.attributes).toMatchObject({ max_tx_gas: '50000000000' });
  const { client: other } = await sandboxForTest();
  expect((await other.getChainIdentifier()).chainIdentifier).not.toBe(chainIdentifier);
});

test('the faucet pays simultaneous requests, and refuses an invalid address', async () => {
  const { client, faucetUrl } = await sandboxForTest();
  const recipient = newAddress();
  const post = (path: string, body: string) => fetch(`${faucetUrl}${path}`, { method: 'POST', body });
  const requests = Array.from({ length: 4 }, () => requestSuiFromFaucetV2({ host: faucetUrl, recipient }));
  const responses = await Promise.all(requests);

  const digests = responses.map(({ coins_sent }) => coins_sent?.[0]?.transferTxDigest);
  expect(new Set(digests).size).toBe(4);
  expect(await balanceOf(client, recipient)).toBe(4n * FAUCET_MIST);
  for (const body of ['', '{}', 'null', JSON.stringify({ FixedAmountRequest: { recipient: 'nobody' } })])
    expect((await post('/v2/gas', body)).status).toBe(400);
  await expect(requestSuiFromFaucetV2({ host: faucetUrl, recipient: 'nobody' })).rejects.toThrow(/Input Error/);
});

test('health and demo accounts are plain JSON, and every page may read them', async () => {
  const sandbox = await sandboxForTest();
  const { chainIdentifier } = await sandbox.client.getChainIdentifier();
  for (const url of [sandbox.rpcUrl, sandbox.faucetUrl]) {
    const health = await fetch(`${url}/health`, { headers: { origin: 'http://localhost:3000' } });
    expect(await health.json()).toMatchObject({ ok: true, chainId: chainIdentifier, checkpoint: '0', epoch: '1' });
    expect(health.headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await fetch(`${url}/v2/gas`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
  }
  const { key } = await demoAdmin(sandbox);
  const admin = { label: 'Sandbox admin', address: key.toSuiAddress() };
  const others = [{ label: 'A voter' }];
  for (const { faucetUrl, accounts } of [
    { ...sandbox, accounts: [admin] },
    { ...(await sandboxForTest({ accounts: others })), accounts: [admin, ...others] },
  ]) {
    const response = await fetch(`${faucetUrl}/demo-accounts`);
    expect(await response.json()).toMatchObject({ accounts });
  }
  expect((await fetch(`${sandbox.faucetUrl}/nowhere`)).status).toBe(404);
});

test('names resolve both ways, and unknown ones are not found', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const { key } = await demoAdmin(sandbox);
  const address = newAddress();
  expect(await client.defaultNameServiceName({ address: key.toSuiAddress() })).toEqual({
    data: { name: 'sandbox-admin.sui' },
  });
  await expect(client.defaultNameServiceName({ address })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await client.resolveNameServiceAddress({ name: 'alice.sui' })).toEqual({ address: null });

  expect((await control(sandbox, { names: { 'alice.sui': address } })).status).toBe(200);

  expect(await client.resolveNameServiceAddress({ name: 'alice.sui' })).toEqual({ address });
  expect(await client.defaultNameServiceName({ address })).toEqual({ data: { name: 'alice.sui' } });
});

test('with an index delay a payment is executed but not found, until the delay is lifted', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  await control(sandbox, { indexDelayMs: 60_000 });

  const sent = await client.signAndExecuteTransaction({
    transaction: payment(payer.toSuiAddress(), recipient, 4n),
    signer: payer,
    include: { balanceChanges: true },
  });
  const digest = sent.Transaction?.digest ?? '';

  expect(sent.Transaction?.balanceChanges).toHaveLength(2);
  await expect(client.getTransaction({ digest })).rejects.toMatchObject({ reason: 'notFound' });
  expect(await balanceOf(client, recipient)).toBe(4n);
  await control(sandbox, { indexDelayMs: 0 });
  const read = await client.getTransaction({ digest, include: { balanceChanges: true } });
  expect(read.Transaction?.balanceChanges).toHaveLength(2);
});

test('rejects every call with UNAVAILABLE while it is down, and serves again afterwards', async () => {
  const sandbox = await sandboxForTest();
  const { client } = sandbox;
  const payer = await fundedAccount(sandbox);
  const recipient = newAddress();
  const transaction = await payment(payer.toSuiAddress(), recipient, 1n).build({ client });
  const { signature } = await payer.signTransaction(transaction);
  const execute = () => client.executeTransaction({ transaction, signatures: [signature] });

  expect(await (await control(sandbox, { down: true })).json()).toMatchObject({ down: true, indexDelayMs: 0 });
  await expect(execute()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(client.getReferenceGasPrice()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect((await fetch(`${sandbox.rpcUrl}/health`)).status).toBe(503);

  await control(sandbox, { down: false });
  expect(await balanceOf(client, recipient)).toBe(0n);
  expect((await execute()).$kind).toBe('Transaction');
});

test('a wrong control request changes nothing', async () => {
  const sandbox = await sandboxForTest();
  const wrong = [
    { indexDelayMs: -1 },
    { indexDelayMs: 1.5 },
    { down: 'yes' },
    { lowestCheckpoint: -1 },
    { scanLimit: 0 },
    { down: true, upside: true },
    { down: true, names: { 'alice.eth': newAddress() } },
    { down: true, names: { 'alice.sui': 'nobody' } },
    [],
  ];
  for (const body of wrong) expect((await control(sandbox, body)).status).toBe(400);
  expect((await control(sandbox, { down: true }, { origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await fetch(`${sandbox.rpcUrl}/health`)).status).toBe(200);
});
