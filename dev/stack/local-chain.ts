import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSuiClient } from '#chain/client.ts';
import { forkReady } from '../process/children.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { messageOf, ROOT, step } from '../process/report.ts';
import { isListening } from './ports.ts';

// As `sui start --with-faucet` has them, unless others are set.
const RPC_PORT = Number(process.env.SANDBOX_PORT || 9000);
const FAUCET_PORT = Number(process.env.SANDBOX_FAUCET_PORT || 9123);
const RESPONSE_TIMEOUT_MS = 5_000;
const PASSING_MS = 700;

export interface LocalChain {
  rpcUrl: string;
  faucetUrl: string;
  demo: DemoOfChain;
  exited: Promise<string>;
}

/** Only the sandbox has these; a real local node does not. */
export interface DemoOfChain {
  adminWallet?: string;
  coin?: { coinType: string; decimals: number };
}

const DemoResponse = z.object({
  accounts: z.tuple([z.object({ address: z.string() })], z.unknown()),
  demoCoin: z.object({ coinType: z.string(), decimals: z.number() }),
});

/** The sandbox chain on the ports of `sui start --with-faucet`, or whatever Sui node is listening there already. */
export async function openLocalChain(lifecycle: Lifecycle): Promise<LocalChain> {
  const rpcUrl = `http://127.0.0.1:${RPC_PORT}`;
  const faucetUrl = `http://127.0.0.1:${FAUCET_PORT}`;
  if (await staysListening(RPC_PORT)) {
    await step(`Chain: the Sui node that is running on port ${RPC_PORT}`, () => checkNode(rpcUrl));
    return { rpcUrl, faucetUrl, demo: await readDemo(faucetUrl), exited: new Promise(() => undefined) };
  }
  if (await isListening(FAUCET_PORT)) {
    throw new Error(`Port ${FAUCET_PORT} (the faucet of the sandbox chain) is in use: end the program that uses it.`);
  }
  const env = { ...process.env, SANDBOX_DIR: path.join(ROOT, 'data', 'sandbox') };
  const sandbox = await step(`Sandbox chain (ports ${RPC_PORT} and ${FAUCET_PORT}, data/sandbox)`, () =>
    lifecycle.own(forkReady({ name: 'The sandbox chain', file: 'sandbox/main.ts', env, quiet: true })),
  );
  return { rpcUrl, faucetUrl, demo: await readDemo(faucetUrl), exited: sandbox.exited };
}

/** The sandbox of a start that was just killed is on its way out: not that one. */
async function staysListening(port: number): Promise<boolean> {
  if (!(await isListening(port))) return false;
  await sleep(PASSING_MS);
  return isListening(port);
}

async function checkNode(rpcUrl: string): Promise<void> {
  const client = createSuiClient({ network: 'localnet', url: rpcUrl });
  const identifier = client.core.getChainIdentifier();
  try {
    await Promise.race([
      identifier,
      sleep(RESPONSE_TIMEOUT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no response in 5 s'))),
    ]);
  } catch (error) {
    throw new Error(
      `Port ${RPC_PORT} is in use, and not by a Sui node (${messageOf(error)}): end the program that uses it, or set SUI_RPC_URL to a Sui node.`,
      { cause: error },
    );
  }
}

/** Who the demo's admin is and which coin pays out, as the sandbox reports; nothing from any other node. */
async function readDemo(faucetUrl: string): Promise<DemoOfChain> {
  try {
    const response = await fetch(`${faucetUrl}/demo-accounts`, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    if (!response.ok) return {};
    const { accounts, demoCoin } = DemoResponse.parse(await response.json());
    return { adminWallet: accounts[0].address, coin: demoCoin };
  } catch {
    return {};
  }
}
