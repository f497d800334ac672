import type { SuiGrpcClient } from '@mysten/sui/grpc';
import { askNode, type NodeInfo } from '#chain/node.ts';
import type { SuiNetwork } from '#shared/constants.ts';
import { ConfigError } from '../kit/config.ts';
import type { Services } from '../kit/services.ts';
import { isLimited } from './sui-client.ts';

/** First bytes of the genesis digests, as the networks publish them; devnet and localnet start over now and then. */
const KNOWN: Partial<Record<SuiNetwork, string>> = {
  mainnet: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  testnet: '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD',
};

function assertNetwork(chainId: string, network: SuiNetwork): void {
  for (const [name, known] of Object.entries(KNOWN)) {
    const same = chainId === known;
    if (same !== (name === network)) {
      throw new ConfigError(
        `SUI_RPC_URL serves ${same ? name : 'another chain than ' + network}, but SUI_NETWORK is ${network}`,
      );
    }
  }
}

/** Identifier of the chain behind the client; throws ConfigError when it is not the configured network (R21). */
export async function readChainId(client: SuiGrpcClient, network: SuiNetwork): Promise<string> {
  const { chainId } = await askNode(client);
  assertNetwork(chainId, network);
  return chainId;
}

/**
 * ours: the chain that this server knows since its start · other: a node that serves another one · away: no response,
 * or a node that limits our calls.
 */
export type ServedChain = ({ state: 'ours' } & NodeInfo) | { state: 'other' } | { state: 'away'; isLimited: boolean };

/**
 * The chain that the node serves now (R68). A server that could not ask at its start treats the first chain of its
 * network as its own.
 */
export async function servedChain(services: Pick<Services, 'sui' | 'chainId' | 'config'>): Promise<ServedChain> {
  try {
    const info = await askNode(services.sui);
    if (services.chainId === null) {
      assertNetwork(info.chainId, services.config.network);
      services.chainId = info.chainId;
    }
    return info.chainId === services.chainId ? { state: 'ours', ...info } : { state: 'other' };
  } catch (error) {
    return error instanceof ConfigError ? { state: 'other' } : { state: 'away', isLimited: isLimited(error) };
  }
}

/** The identifier of our chain while the node serves it, asked now; null while the node is away or serves another chain. */
export async function chainIdOf(services: Pick<Services, 'sui' | 'chainId' | 'config'>): Promise<string | null> {
  const served = await servedChain(services);
  return served.state === 'ours' ? served.chainId : null;
}
