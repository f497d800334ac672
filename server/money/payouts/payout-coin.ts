import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { type Config, ConfigError } from '../../kit/config.ts';

const TIMEOUT_MS = 5_000;

export interface PayoutCoin {
  symbol: string;
  decimals: number | null;
}

export async function readCoin(sui: SuiGrpcClient, coinType: string): Promise<PayoutCoin | null> {
  try {
    // The SDK's getCoinMetadata takes every failure of the node for a coin without metadata.
    const { response } = await sui.stateService.getCoinInfo({ coinType }, { abort: AbortSignal.timeout(TIMEOUT_MS) });
    const { metadata } = response;
    const symbol = metadata?.symbol || (coinType.split('::').at(-1) ?? '');
    return { symbol, decimals: metadata === undefined ? null : (metadata.decimals ?? 0) };
  } catch (error) {
    if ((error as { code?: string }).code === 'NOT_FOUND') return null;
    throw error;
  }
}

type CoinSettings = Pick<Config, 'snapsCoinType' | 'snapsDecimals' | 'network'>;

/**
 * Compares SNAPS_COIN_TYPE and SNAPS_DECIMALS with the chain: with wrong decimals every payout would be wrong by a power of ten. Returns
 * the coin, null if payouts are recorded by hand.
 * @throws ConfigError with one line that names the setting; another error when the node does not respond
 */
export async function checkPayoutCoin(sui: SuiGrpcClient, settings: CoinSettings): Promise<PayoutCoin | null> {
  const { snapsCoinType, snapsDecimals, network } = settings;
  if (snapsCoinType === null) return null;
  const coin = await readCoin(sui, snapsCoinType);
  if (coin === null) throw new ConfigError(`SNAPS_COIN_TYPE: ${network} has no coin ${snapsCoinType}`);
  if (coin.decimals !== null && coin.decimals !== snapsDecimals)
    throw new ConfigError(
      `SNAPS_DECIMALS is ${snapsDecimals}, and ${coin.symbol} has ${coin.decimals} decimals: payouts would be wrong by a factor of 10^${Math.abs(coin.decimals - snapsDecimals)}`,
    );
  return coin;
}
