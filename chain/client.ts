import { SuiGrpcClient } from '@mysten/sui/grpc';
import type { SuiNetwork } from '#shared/constants.ts';

const FULL_NODE_URLS: Readonly<Record<SuiNetwork, string>> = {
  devnet: 'https://fullnode.devnet.sui.io:443',
  testnet: 'https://fullnode.testnet.sui.io:443',
  mainnet: 'https://fullnode.mainnet.sui.io:443',
  localnet: 'http://127.0.0.1:9000',
};

export function defaultRpcUrl(network: SuiNetwork): string {
  return FULL_NODE_URLS[network];
}

interface SuiClientOptions {
  network: SuiNetwork;
  url?: string | undefined;
}

export function createSuiClient({ network, url }: SuiClientOptions): SuiGrpcClient {
  return new SuiGrpcClient({ network, baseUrl: url ?? defaultRpcUrl(network) });
}
