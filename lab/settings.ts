import { ADMIN_KEYPAIR } from './testing/wallets.ts';

export const ADMIN_PASSWORD = 'correct horse battery staple';

/** No limits by time: only the counts per user, or of stored data, bound clients. */
export const WITHOUT_RATE_LIMITS = {
  RATE_LIMIT_FACTOR: '1000000',
  NEW_WALLETS_PER_HOUR: '1000000000',
};

/** Nothing listens there. */
export const NO_CHAIN = { rpcUrl: 'http://127.0.0.1:9' };

export const serverSettings = (
  databaseUrl: string,
  { rpcUrl, faucetUrl }: { rpcUrl: string; faucetUrl?: string } = NO_CHAIN,
): Record<string, string> => ({
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_ORIGIN: 'http://localhost',
  DATABASE_URL: databaseUrl,
  SUI_NETWORK: 'localnet',
  SUI_RPC_URL: rpcUrl,
  ...(faucetUrl === undefined ? {} : { SUI_FAUCET_URL: faucetUrl }),
  ADMIN_WALLET: ADMIN_KEYPAIR.toSuiAddress(),
  ADMIN_PASSWORD,
});
