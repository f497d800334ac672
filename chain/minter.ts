import { GrpcTypes, RpcError, type SuiGrpcClient } from '@mysten/sui/grpc';
import { normalizeSuiAddress } from '@mysten/sui/utils';
import { normalizeAddress } from './address.ts';

/**
 * Holder of the right to mint. address: the holder of the TreasuryCap · shared: anyone · burnt: not anyone · wrapped: it is
 * within another object, or was destroyed, so that the chain does not show its holder · none: the node knows no
 * TreasuryCap.
 */
export interface Minter {
  state: 'address' | 'shared' | 'burnt' | 'wrapped' | 'none';
  /** The holder, or the object that holds the TreasuryCap. */
  address: string | null;
  treasuryCap: string | null;
}

const { FIXED, BURN_ONLY } = GrpcTypes.CoinTreasury_SupplyState;
const NOBODY = normalizeSuiAddress('0x0');

interface Reader {
  stateService: Pick<SuiGrpcClient['stateService'], 'getCoinInfo'>;
  core: Pick<SuiGrpcClient['core'], 'getObjects'>;
}

/** @throws errors of the node */
export async function readMinter(client: Reader, coinType: string, signal: AbortSignal): Promise<Minter> {
  const treasury = await findTreasury(client, coinType, signal);
  if (treasury === 'none') return { state: 'none', address: null, treasuryCap: null };
  const treasuryCap = treasury?.id === undefined ? null : normalizeSuiAddress(treasury.id);
  if (treasury?.supplyState === FIXED || treasury?.supplyState === BURN_ONLY)
    return { state: 'burnt', address: null, treasuryCap };
  if (treasuryCap === null) return { state: 'wrapped', address: null, treasuryCap };
  return { ...(await readHolder(client, treasuryCap, signal)), treasuryCap };
}

async function findTreasury(
  client: Reader,
  coinType: string,
  abort: AbortSignal,
): Promise<GrpcTypes.CoinTreasury | undefined | 'none'> {
  try {
    return (await client.stateService.getCoinInfo({ coinType }, { abort })).response.treasury;
  } catch (error) {
    if (error instanceof RpcError && error.code === 'NOT_FOUND') return 'none';
    throw error;
  }
}

async function readHolder(
  client: Reader,
  treasuryCap: string,
  signal: AbortSignal,
): Promise<Pick<Minter, 'state' | 'address'>> {
  const [object] = (await client.core.getObjects({ objectIds: [treasuryCap], signal })).objects;
  if (object instanceof Error) {
    if ('code' in object && object.code === 'notExists') return { state: 'wrapped', address: null };
    throw object;
  }
  if (!object) throw new Error('the node did not answer about the TreasuryCap');
  const { owner } = object;
  if (owner.$kind === 'AddressOwner') return heldBy(owner.AddressOwner);
  if (owner.$kind === 'ConsensusAddressOwner') return heldBy(owner.ConsensusAddressOwner.owner);
  if (owner.$kind === 'ObjectOwner') return { state: 'wrapped', address: normalizeAddress(owner.ObjectOwner) };
  if (owner.$kind === 'Shared') return { state: 'shared', address: null };
  if (owner.$kind === 'Immutable') return { state: 'burnt', address: null };
  throw new Error('the node names an unknown owner of the TreasuryCap');
}

function heldBy(address: string): Pick<Minter, 'state' | 'address'> {
  const holder = normalizeAddress(address);
  return holder === null || holder === NOBODY
    ? { state: 'burnt', address: null }
    : { state: 'address', address: holder };
}
