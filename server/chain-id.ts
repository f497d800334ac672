import type { SuiGrpcClient } from '@mysten/sui/grpc';
import type { SuiNetwork } from '#shared/constants.ts';
import { ConfigError } from './config.ts';
import type { Services } from './services.ts';

/** First bytes of the genesis digests, as the networks publish them; devnet and localnet start over now and then. */
const KNOWN: Partial<Record<SuiNetwork, string>> = {
  mainnet: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  testnet: '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD',
};

/** Identifier of the chain behind the client; throws ConfigError when it is not the configured network (R21). */
export async function readChainId(client: SuiGrpcClient, network: SuiNetwork): Promise<string> {
  const { chainIdentifier } = await client.core.getChainIdentifier({ signal: AbortSignal.timeout(5000) });
  for (const [name, known] of Object.entries(KNOWN)) {
    const same = chainIdentifier === known;
    if (same !== (name === network)) {
      throw new ConfigError(
        `SUI_RPC_URL serves ${same ? name : 'another chain than ' + network}, but SUI_NETWORK is ${network}`,
      );
    }
  }
  return chainIdentifier;
}

/** The identifier of the chain, asked again when the node did not respond at the start; null while it still does not. */
export async function chainIdOf(services: Services): Promise<string | null> {
  services.chainId ??= await readChainId(services.sui, services.config.network).catch(() => null);
  return services.chainId;
}
