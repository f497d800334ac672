import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { readHolding } from '#chain/payout.ts';
import { MIST_PER_SUI } from '#shared/constants.ts';
import { readChainId } from '#server/kit/chain-id.ts';
import { type Config, ConfigError } from '#server/kit/config.ts';
import { readCoin } from '#server/kit/payout-coin.ts';
import { Blocking, failure, reasonOf, warning } from './check.ts';
import type { OtherClock } from './machine.ts';

const CALL_TIMEOUT_MS = 10_000;
const signal = (): AbortSignal => AbortSignal.timeout(CALL_TIMEOUT_MS);
const inSui = (mist: bigint): string => `${(Number(mist) / Number(MIST_PER_SUI)).toFixed(3)} SUI`;

export async function checkChain(sui: SuiGrpcClient, { network, rpcUrl }: Config): Promise<string> {
  try {
    const id = await readChainId(sui, network);
    return `${network}, chain ${id.slice(0, 8)}…, at ${rpcUrl}`;
  } catch (error) {
    if (error instanceof ConfigError) throw new Blocking('fail', error.message, 'Correct SUI_NETWORK or SUI_RPC_URL');
    throw new Blocking(
      'fail',
      `the node at ${rpcUrl} does not respond (${reasonOf(error)}); wallets and coin were not looked at`,
      'Set SUI_RPC_URL to a full node that does, and let the firewall pass it. Until then votes are counted, and payments wait',
    );
  }
}

export async function readChainClock(sui: SuiGrpcClient, nowMs = Date.now()): Promise<OtherClock | null> {
  const { response } = await sui.ledgerService.getServiceInfo({}, { abort: signal() });
  if (response.timestamp === undefined) return null;
  const { seconds, nanos } = response.timestamp;
  return { name: 'the Sui node', aheadMs: Number(seconds) * 1000 + nanos / 1e6 - nowMs, mayLag: true };
}

async function mistOf(sui: SuiGrpcClient, owner: string): Promise<bigint> {
  const { balance } = await sui.core.getBalance({ owner, signal: signal() });
  return BigInt(balance.balance);
}

async function payoutCoinsOf(
  sui: SuiGrpcClient,
  owner: string,
  { wallet, coinType, decimals, name }: { wallet: string; coinType: string; decimals: number; name: string },
): Promise<string> {
  const { heldUnits, payableUnits } = await readHolding(sui, { owner, coinType, signal: signal() });
  const whole = (units: bigint): bigint => units / 10n ** BigInt(decimals);
  const remedy = `Send what payouts need to ${owner}`;
  const held = whole(heldUnits);
  if (heldUnits === 0n) throw warning(`${wallet} holds no ${name}`, remedy);
  const unpayable = 'in its address balance, from which payouts cannot be paid yet';
  if (payableUnits === 0n) throw warning(`${wallet} holds ${held} ${name}, all ${unpayable}`, `${remedy} as coins`);
  const rest = whole(heldUnits - payableUnits);
  return `${wallet} holds ${held} ${name}${rest === 0n ? '' : `, ${rest} of them ${unpayable}`}`;
}

const PAYOUT_GAS_MIST = 50_000_000n;

/** A wallet that the chain has never seen may be one without a known key. */
export async function checkAdminWallet(sui: SuiGrpcClient, { adminWallet, snapsCoinType }: Config): Promise<string> {
  const mist = await mistOf(sui, adminWallet);
  const short = `${adminWallet.slice(0, 8)}…${adminWallet.slice(-4)}`;
  if (mist === 0n)
    throw warning(
      `${short} holds no SUI on this network: it may be mistyped, and it cannot pay gas`,
      'Check ADMIN_WALLET in your wallet, and send a little SUI to it: listing fees go there',
    );
  if (snapsCoinType !== null && mist < PAYOUT_GAS_MIST)
    throw warning(`${short} holds ${inSui(mist)}, too little for the gas of payouts`, `Send SUI to ${adminWallet}`);
  return `${short} holds ${inSui(mist)}${snapsCoinType === null ? '' : ', the gas of payouts'}`;
}

export async function checkCoin(sui: SuiGrpcClient, config: Config): Promise<string> {
  const { snapsCoinType, snapsDecimals, adminWallet } = config;
  if (snapsCoinType === null) return 'none: withdrawals are paid and recorded by hand';
  const found = await readCoin(sui, snapsCoinType);
  if (found === null)
    throw failure(`the chain knows no coin ${snapsCoinType}`, 'Correct SNAPS_COIN_TYPE, or SUI_NETWORK');
  const { symbol, decimals } = found;
  if (decimals !== null && decimals !== snapsDecimals)
    throw failure(
      `${symbol} has ${decimals} decimals, and SNAPS_DECIMALS is ${snapsDecimals}: payouts would be wrong by a factor of 10^${Math.abs(decimals - snapsDecimals)}`,
      `Set SNAPS_DECIMALS=${decimals}`,
    );
  const coin = { coinType: snapsCoinType, decimals: snapsDecimals, name: symbol };
  return `${snapsDecimals} decimals; ${await payoutCoinsOf(sui, adminWallet, { wallet: 'the admin wallet', ...coin })}`;
}

export async function checkPayoutKey(
  sui: SuiGrpcClient,
  { payoutKey, snapsCoinType, snapsDecimals }: Pick<Config, 'payoutKey' | 'snapsCoinType' | 'snapsDecimals'>,
): Promise<string | null> {
  if (payoutKey === null || snapsCoinType === null) return null;
  const address = payoutKey.toSuiAddress();
  const mist = await mistOf(sui, address);
  if (mist < PAYOUT_GAS_MIST)
    throw warning(`its wallet holds ${inSui(mist)}, too little for the gas of payouts`, `Send SUI to ${address}`);
  const coin = { coinType: snapsCoinType, decimals: snapsDecimals, name: 'Snaps' };
  return `${await payoutCoinsOf(sui, address, { wallet: 'its wallet', ...coin })}; ${inSui(mist)} for gas`;
}

const ANCHOR_MIST = 2_000_000n;

const ANCHORS_AHEAD = 14n;

export async function checkAnchors(
  sui: SuiGrpcClient,
  { logPrivateKey, anchorKey }: Pick<Config, 'logPrivateKey' | 'anchorKey'>,
): Promise<string | null> {
  if (anchorKey === null) return null;
  if (logPrivateKey === null)
    throw warning('ANCHOR_PRIVATE_KEY pays for nothing without LOG_PRIVATE_KEY', 'Set LOG_PRIVATE_KEY');
  const address = anchorKey.toSuiAddress();
  const mist = await mistOf(sui, address);
  const count = mist / ANCHOR_MIST;
  if (count < ANCHORS_AHEAD)
    throw warning(`their wallet holds ${inSui(mist)}, enough for about ${count}, one a day`, `Send SUI to ${address}`);
  return `${inSui(mist)} for about ${count} of them`;
}
