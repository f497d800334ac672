import { SuiGrpcClient } from '@mysten/sui/grpc';
import { describe, expect, it } from 'vitest';
import { SUI_NETWORKS } from '#shared/constants.ts';
import { createSuiClient, defaultRpcUrl } from './client.ts';

describe('createSuiClient', () => {
  it.each(SUI_NETWORKS)('has an endpoint for %s [S7.25]', (network) => {
    const client = createSuiClient({ network });
    expect(client).toBeInstanceOf(SuiGrpcClient);
    expect(client.network).toBe(network);
    expect(defaultRpcUrl(network)).toMatch(
      network === 'localnet' ? /^http:\/\/127/ : new RegExp(`^https:.*${network}`),
    );
  });

  it('asks the configured full node [R22]', async () => {
    const client = createSuiClient({ network: 'localnet', url: 'http://127.0.0.1:1' });
    await expect(client.getReferenceGasPrice()).rejects.toThrow('fetch failed');
  });
});
