import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, TestOwner } from '../stack.ts';
import { startChain } from '../testing/chain.ts';
import { freePort } from '#ops/process/free-port.ts';
import { type LocalChain, openLocalChain } from './local-chain.ts';

const owner = new TestOwner();
let folder: string;
beforeEach(async () => {
  folder = await makeFolder(owner, 'local-chain');
});
afterEach(() => owner.end());

function open(ports: { rpc: number; faucet: number }, name = 'chain'): Promise<LocalChain> {
  return openLocalChain(owner, { ports, folder: path.join(folder, name) });
}

const portOf = (url: string): number => Number(new URL(url).port);

test('a local chain takes the usual ports where they are free', async () => {
  const ports = { rpc: await freePort(), faucet: await freePort() };
  const { rpcUrl, faucetUrl, demo } = await open(ports);
  expect([portOf(rpcUrl), portOf(faucetUrl)]).toEqual([ports.rpc, ports.faucet]);
  expect(demo.adminWallet).toMatch(/^0x/);
});

test('a local chain takes free ports where the sandbox of another folder has the usual ones', async () => {
  const other = await owner.own(startChain());
  const { rpcUrl, demo } = await open({ rpc: portOf(other.rpcUrl), faucet: portOf(other.faucetUrl) });
  expect(rpcUrl).not.toBe(other.rpcUrl);
  expect(demo.adminWallet).toMatch(/^0x/);
});

test('a Sui node that is not a sandbox is used on the usual ports', async () => {
  const node = await owner.own(startChain());
  // Without demo accounts, the sandbox looks like any other node.
  const { rpcUrl, demo } = await open({ rpc: portOf(node.rpcUrl), faucet: await freePort() });
  expect([rpcUrl, demo]).toEqual([node.rpcUrl, {}]);
});

test('a local chain takes free ports where another program has the usual ones', async () => {
  const other = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  await owner.atEnd(() => new Promise<void>((resolve) => other.close(() => resolve())));
  const { port } = other.address() as AddressInfo;
  expect(portOf((await open({ rpc: port, faucet: await freePort() })).rpcUrl)).not.toBe(port);
  expect(portOf((await open({ rpc: await freePort(), faucet: port }, 'next')).faucetUrl)).not.toBe(port);
});
