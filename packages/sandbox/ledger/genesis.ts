import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { normalizeSuiAddress, toBase58, toHex } from '@mysten/sui/utils';
import { type CoinObject, sealCoin, storageFeeMist } from './coins.ts';
import { SNAPS_DECIMALS, SNAPS_SUPPLY, SNAPS_TYPE, SUI_TYPE } from './constants.ts';
import { seed } from './digests.ts';

export interface Currency {
  readonly coinType: string;
  readonly metadataId: string;
  readonly decimals: number;
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly supply: bigint;
}

const MIST_PER_SUI = 1_000_000_000n;
const SUI_SUPPLY_MIST = 10_000_000_000n * MIST_PER_SUI;
const ADMIN_SUI_MIST = 1_000_000n * MIST_PER_SUI;

export const CURRENCIES: readonly Currency[] = [
  {
    coinType: SUI_TYPE,
    metadataId: normalizeSuiAddress('0x9258181f5ceac8dbffb7030890243caed69a9599d2886d957a9cb7656af3bdb3'),
    decimals: 9,
    name: 'Sui',
    symbol: 'SUI',
    description: '',
    supply: SUI_SUPPLY_MIST,
  },
  {
    coinType: SNAPS_TYPE,
    metadataId: `0x${toHex(seed('snaps metadata'))}`,
    decimals: SNAPS_DECIMALS,
    name: 'Snaps',
    symbol: 'SNAPS',
    description: 'Demo coin of the Snapswipe sandbox chain',
    supply: SNAPS_SUPPLY,
  },
];

/** Key of the wallet that owns nearly all SUI of the sandbox; the faucet pays from it. */
export function treasuryKey(): Ed25519Keypair {
  return Ed25519Keypair.fromSecretKey(seed('treasury'));
}

/** The demo administrator. Its key is public on purpose: it owns play money on this chain only. */
export function adminKey(): Ed25519Keypair {
  return Ed25519Keypair.fromSecretKey(seed('admin'));
}

export const ADMIN_NAME = 'sandbox-admin.sui';

export function newChainId(): string {
  return toBase58(crypto.getRandomValues(new Uint8Array(32)));
}

/** Ids depend on the chain identifier, so that the same payment on two sandboxes never has the same digest. */
export function genesisCoins(chainId: string): CoinObject[] {
  const admin = adminKey().toSuiAddress();
  const coin = (label: string, coinType: string, value: bigint, owner: string) =>
    sealCoin({
      id: `0x${toHex(seed(`${chainId}:${label}`))}`,
      version: 1n,
      coinType,
      value,
      owner,
      previousTransaction: toBase58(seed(`${chainId}:genesis`)),
      storageRebateMist: storageFeeMist(coinType),
    });
  return [
    coin('treasury', SUI_TYPE, SUI_SUPPLY_MIST - ADMIN_SUI_MIST, treasuryKey().toSuiAddress()),
    coin('admin sui', SUI_TYPE, ADMIN_SUI_MIST, admin),
    coin('admin snaps', SNAPS_TYPE, SNAPS_SUPPLY, admin),
  ];
}

export function adminAccount() {
  const admin = adminKey();
  return {
    label: 'Sandbox admin',
    name: ADMIN_NAME,
    address: admin.toSuiAddress(),
    secretKey: admin.getSecretKey(),
    genesisBalances: [
      { coinType: SUI_TYPE, amount: ADMIN_SUI_MIST.toString() },
      { coinType: SNAPS_TYPE, amount: SNAPS_SUPPLY.toString() },
    ],
  };
}
