import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createSuiClient } from '#chain/client.ts';
import { freePort, isFree } from '#ops/process/free-port.ts';
import { ROOT, step } from '#ops/process/report.ts';
import { isListening } from '#ops/serve/ports.ts';
import { DEMO_ACCOUNTS } from '../demo/accounts.ts';
import { type Owner, startSandbox } from '../stack.ts';

/** The ports of `sui start --with-faucet`. */
const PORTS = { rpc: 9000, faucet: 9123 };
const RESPONSE_TIMEOUT_MS = 5_000;
const PASSING_MS = 700;

export interface LocalChain {
  rpcUrl: string;
  faucetUrl: string;
  demo: DemoOfChain;
  exited: Promise<string>;
}

/** Only the sandbox has these; a real local node does not. */
interface DemoOfChain {
  adminWallet?: string;
  adminSecretKey?: string;
  coin?: { coinType: string; decimals: number };
}

const DemoResponse = z.object({
  accounts: z.tuple([z.object({ address: z.string(), secretKey: z.string() })]).rest(z.unknown()),
  demoCoin: z.object({ coinType: z.string(), decimals: z.number() }),
});

interface LocalChainOptions {
  ports?: typeof PORTS;
  folder?: string;
}

/**
 * A chain for this folder: the Sui node on the usual ports, if it is not a sandbox. A sandbox there belongs to another
 * folder and stops with it; it is used only with SANDBOX_PORT.
 */
export async function openLocalChain(
  lifecycle: Owner,
  { ports = PORTS, folder = path.join(ROOT, 'data', 'sandbox') }: LocalChainOptions = {},
): Promise<LocalChain> {
  const given = Number(process.env['SANDBOX_PORT'] || 0);
  const wanted = { rpc: given || ports.rpc, faucet: Number(process.env['SANDBOX_FAUCET_PORT'] || ports.faucet) };
  const isTaken = await staysListening(wanted.rpc);
  const found = isTaken ? await findNode(wanted) : null;
  if (found !== null && (given !== 0 || found.demo.adminWallet === undefined)) {
    console.log(
      `✓ Chain: the Sui node on port ${wanted.rpc}. It is not of this folder: payments wait while it is away`,
    );
    return { ...found, exited: new Promise(() => undefined) };
  }
  const isUsable = given !== 0 || (!isTaken && (await isFree(wanted.rpc)) && (await isFree(wanted.faucet)));
  const own = isUsable ? wanted : { rpc: await freePort(), faucet: await freePort() };
  const others = found === null ? 'another program' : 'the chain of another folder';
  const reason = isUsable ? '' : `, as ${others} has ${wanted.rpc} or ${wanted.faucet}`;
  const sandbox = await step(`Sandbox chain (ports ${own.rpc} and ${own.faucet}${reason}, data/sandbox)`, () =>
    startSandbox(lifecycle, { folder, ports: own, accounts: DEMO_ACCOUNTS }),
  );
  return { ...sandbox, demo: await readDemo(sandbox.faucetUrl) };
}

const urlsOf = ({ rpc, faucet }: typeof PORTS): Pick<LocalChain, 'rpcUrl' | 'faucetUrl'> => ({
  rpcUrl: `http://127.0.0.1:${rpc}`,
  faucetUrl: `http://127.0.0.1:${faucet}`,
});

/** The sandbox of a start that was just killed ends within this time. */
async function staysListening(port: number): Promise<boolean> {
  if (!(await isListening(port))) return false;
  await sleep(PASSING_MS);
  return isListening(port);
}

/** The Sui node that listens there; null when something else does. */
async function findNode(ports: typeof PORTS): Promise<Omit<LocalChain, 'exited'> | null> {
  const urls = urlsOf(ports);
  const client = createSuiClient({ network: 'localnet', url: urls.rpcUrl });
  const isNode = await client.core.getChainIdentifier({ signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) }).then(
    () => true,
    () => false,
  );
  return isNode ? { ...urls, demo: await readDemo(urls.faucetUrl) } : null;
}

async function readDemo(faucetUrl: string): Promise<DemoOfChain> {
  try {
    const response = await fetch(`${faucetUrl}/demo-accounts`, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    if (!response.ok) return {};
    const { accounts, demoCoin } = DemoResponse.parse(await response.json());
    const [{ address, secretKey }] = accounts;
    return { adminWallet: address, adminSecretKey: secretKey, coin: demoCoin };
  } catch {
    return {};
  }
}
