import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { MIST_PER_SUI } from '#shared/constants.ts';
import { readChainId } from '../chain-id.ts';
import { type Config, ConfigError } from '../config.ts';
import { failure, reasonOf, warning } from './check.ts';
import type { OtherClock } from './machine.ts';

const CALL_TIMEOUT_MS = 5_000;
const signal = (): AbortSignal => AbortSignal.timeout(CALL_TIMEOUT_MS);
const inSui = (mist: bigint): string => `${(Number(mist) / Number(MIST_PER_SUI)).toFixed(3)} SUI`;

/** Whether the node serves the network of the settings. */
export async function checkChain(sui: SuiGrpcClient, { network, rpcUrl }: Config): Promise<string> {
  try {
    const id = await readChainId(sui, network);
    return `${network}, chain ${id.slice(0, 8)}…, at ${rpcUrl}`;
  } catch (error) {
    if (error instanceof ConfigError) throw failure(error.message, 'Correct SUI_NETWORK or SUI_RPC_URL');
    throw failure(
      `the node at ${rpcUrl} does not respond: ${reasonOf(error)}`,
      'Set SUI_RPC_URL to a full node that does, and let the firewall pass it. Voting goes on meanwhile, payments wait',
    );
  }
}

/** The clock of the node's newest checkpoint. A sandbox has none to lag behind. */
export async function readChainClock(sui: SuiGrpcClient, nowMs = Date.now()): Promise<OtherClock | null> {
  const { response } = await sui.ledgerService.getServiceInfo({}, { abort: signal() });
  if (response.timestamp === undefined) return null;
  const { seconds, nanos } = response.timestamp;
  return { name: 'the Sui node', aheadMs: Number(seconds) * 1000 + nanos / 1e6 - nowMs, mayLag: true };
}

async function balanceOf(sui: SuiGrpcClient, owner: string, coinType?: string): Promise<bigint> {
  const asked = coinType === undefined ? {} : { coinType };
  const { balance } = await sui.core.getBalance({ owner, ...asked, signal: signal() });
  return BigInt(balance.balance);
}

/** A wallet that the chain has never seen may be one that nobody has the key of. */
export async function checkAdminWallet(sui: SuiGrpcClient, { adminWallet, snapsCoinType }: Config): Promise<string> {
  const mist = await balanceOf(sui, adminWallet);
  const short = `${adminWallet.slice(0, 8)}…${adminWallet.slice(-4)}`;
  if (mist === 0n)
    throw warning(
      `${short} holds no SUI on this network: it may be mistyped, and it cannot pay gas`,
      'Check ADMIN_WALLET in your wallet, and send a little SUI to it: listing fees go there',
    );
  return `${short} holds ${inSui(mist)}${snapsCoinType === null ? '' : ', the gas of payouts'}`;
}

/** The coin that pays withdrawals: it exists, has the decimals of the settings, and is held by the admin. */
export async function checkCoin(sui: SuiGrpcClient, config: Config): Promise<string> {
  const { snapsCoinType, snapsDecimals, adminWallet } = config;
  if (snapsCoinType === null) return 'none: withdrawals are paid and recorded by hand';
  const { coinMetadata } = await sui.core.getCoinMetadata({ coinType: snapsCoinType, signal: signal() });
  if (coinMetadata === null)
    throw failure(`the chain knows no coin ${snapsCoinType}`, 'Correct SNAPS_COIN_TYPE, or SUI_NETWORK');
  if (coinMetadata.decimals !== snapsDecimals)
    throw failure(
      `${coinMetadata.symbol} has ${coinMetadata.decimals} decimals, and SNAPS_DECIMALS is ${snapsDecimals}: payouts would be wrong by a factor of 10^${Math.abs(coinMetadata.decimals - snapsDecimals)}`,
      `Set SNAPS_DECIMALS=${coinMetadata.decimals}`,
    );
  if ((await balanceOf(sui, adminWallet, snapsCoinType)) === 0n)
    throw warning(`the admin wallet holds no ${coinMetadata.symbol}`, 'Send what payouts need to ADMIN_WALLET');
  return `${coinMetadata.symbol}, ${snapsDecimals} decimals`;
}

const ANCHOR_MIST = 2_000_000n;

/** The wallet that pays for anchors of the public record. */
export async function checkRecord(sui: SuiGrpcClient, { logPrivateKey, anchorKey }: Config): Promise<string> {
  if (logPrivateKey === null) {
    if (anchorKey === null) return 'off: LOG_PRIVATE_KEY is empty';
    throw warning('ANCHOR_PRIVATE_KEY pays for nothing without LOG_PRIVATE_KEY', 'Set LOG_PRIVATE_KEY');
  }
  if (anchorKey === null) return 'signed, without anchors on Sui';
  const address = anchorKey.toSuiAddress();
  const mist = await balanceOf(sui, address);
  if (mist < ANCHOR_MIST)
    throw warning(`the wallet for anchors holds ${inSui(mist)}, too little for one`, `Send SUI to ${address}`);
  return `signed and anchored; ${inSui(mist)} for about ${mist / ANCHOR_MIST} anchors`;
}
