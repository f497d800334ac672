import { readHeld } from '#chain/held.ts';
import { MIST_PER_SUI } from '#shared/constants.ts';
import { readChainId } from '#server/kit/chain-id.ts';
import { warning } from './check.ts';
import type { Subject } from './subject.ts';

type Chain = Pick<Subject, 'sui' | 'config'>;

const PAYOUT_GAS_MIST = 50_000_000n;
const ANCHOR_MIST = 2_000_000n;
const ANCHORS_AHEAD = 14n;
const signal = (): AbortSignal => AbortSignal.timeout(10_000);

export async function askChain({ sui, config: { network, rpcUrl } }: Chain): Promise<string> {
  const id = await readChainId(sui, network);
  return `${network}, chain ${id.slice(0, 8)}…, at ${rpcUrl}`;
}

async function readMist({ sui }: Chain, owner: string): Promise<bigint> {
  const { balance } = await sui.core.getBalance({ owner, signal: signal() });
  return BigInt(balance.balance);
}

/** Describes the SUI of a wallet. @throws a warning when it holds less than it needs */
async function readGas(chain: Chain, owner: string, neededMist: bigint): Promise<string> {
  const mist = await readMist(chain, owner);
  const held = `its wallet holds ${(Number(mist) / Number(MIST_PER_SUI)).toFixed(3)} SUI`;
  if (mist < neededMist) throw warning(`${held}, too little for gas`, `Send SUI to ${owner}`);
  return held;
}

/** Snaps of a wallet, in coins and in the address balance. @throws a warning when it holds none */
async function readSnaps({ sui, config }: Chain, owner: string, coinType: string): Promise<string> {
  const units = await readHeld(sui, { owner, coinType, signal: signal() });
  if (units === 0n) throw warning('its wallet holds no Snaps', `Send what payouts need to ${owner}`);
  return `${units / 10n ** BigInt(config.snapsDecimals)} Snaps`;
}

/** A wallet that the chain has never seen may be one without a known key. */
export async function askAdminWallet(chain: Chain): Promise<string> {
  const { adminWallet, snapsCoinType } = chain.config;
  if ((await readMist(chain, adminWallet)) === 0n)
    throw warning(
      `${adminWallet} holds no SUI on this network: it may be mistyped`,
      'Check ADMIN_WALLET in your wallet, and send a little SUI to it: listing fees go there',
    );
  const gas = await readGas(chain, adminWallet, snapsCoinType === null ? 0n : PAYOUT_GAS_MIST);
  return snapsCoinType === null ? gas : `${gas}; ${await readSnaps(chain, adminWallet, snapsCoinType)}`;
}

export async function askPayoutKey(chain: Chain): Promise<string | null> {
  const { payoutKey, snapsCoinType } = chain.config;
  if (payoutKey === null || snapsCoinType === null) return null;
  const address = payoutKey.toSuiAddress();
  const gas = await readGas(chain, address, PAYOUT_GAS_MIST);
  return `${gas}; ${await readSnaps(chain, address, snapsCoinType)}`;
}

export async function askAnchors(chain: Chain): Promise<string | null> {
  const { logPrivateKey, anchorKey } = chain.config;
  if (anchorKey === null) return null;
  if (logPrivateKey === null)
    throw warning('ANCHOR_PRIVATE_KEY pays for nothing without LOG_PRIVATE_KEY', 'Set LOG_PRIVATE_KEY');
  return readGas(chain, anchorKey.toSuiAddress(), ANCHOR_MIST * ANCHORS_AHEAD);
}
