import { mkdtemp, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChain } from '../testing/chain.ts';
import { freePort } from '#ops/process/free-port.ts';
import type { Stoppable } from '#ops/process/lifecycle.ts';
import { type LocalChain, openLocalChain } from './local-chain.ts';

let folder: string;
let owned: Stoppable[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-local-chain-'));
});
afterEach(async () => {
  await Promise.all(owned.map((each) => each.stop()));
  owned = [];
  await rm(folder, { recursive: true, force: true });
});

function open(ports: { rpc: number; faucet: number }, name = 'chain'): Promise<LocalChain> {
  const lifecycle = {
    own: async <T extends Stoppable>(starting: Promise<T>): Promise<T> => {
      const started = await starting;
      owned.push(started);
      return started;
    },
  };
  return openLocalChain(lifecycle, { ports, folder: path.join(folder, name) });
}

const portOf = (url: string): number => Number(new URL(url).port);

test('a local chain takes the usual ports where they are free', async () => {
  const ports = { rpc: await freePort(), faucet: await freePort() };
  const { rpcUrl, faucetUrl, demo } = await open(ports);
  expect([portOf(rpcUrl), portOf(faucetUrl)]).toEqual([ports.rpc, ports.faucet]);
  expect(demo.adminWallet).toMatch(/^0x/);
});

test('a local chain takes free ports where the sandbox of another folder has the usual ones', async () => {
  const other = await startChain();
  owned.push(other);
  const { rpcUrl, demo } = await open({ rpc: portOf(other.rpcUrl), faucet: portOf(other.faucetUrl) });
  expect(rpcUrl).not.toBe(other.rpcUrl);
  expect(owned).toHaveLength(2);
  expect(demo.adminWallet).toMatch(/^0x/);
});

test('a Sui node that is not a sandbox is used on the usual ports', async () => {
  const node = await startChain();
  owned.push(node);
  // Without demo accounts, the sandbox looks like any other node.
  const { rpcUrl, demo } = await open({ rpc: portOf(node.rpcUrl), faucet: await freePort() });
  expect([rpcUrl, demo]).toEqual([node.rpcUrl, {}]);
  expect(owned).toHaveLength(1);
});

test('a local chain takes free ports where another program has the usual ones', async () => {
  const other = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  owned.push({ stop: () => new Promise((resolve) => other.close(() => resolve())) });
  const { port } = other.address() as AddressInfo;
  expect(portOf((await open({ rpc: port, faucet: await freePort() })).rpcUrl)).not.toBe(port);
  expect(portOf((await open({ rpc: await freePort(), faucet: port }, 'next')).faucetUrl)).not.toBe(port);
});
