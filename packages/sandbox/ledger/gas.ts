import { COMPUTATION_GAS_UNITS, STORAGE_REBATE_BASIS_POINTS } from './constants.ts';
import { type ChainObject, type LiveObject, storageFeeOf } from './objects.ts';

export interface GasSummary {
  readonly computationCost: bigint;
  readonly storageCost: bigint;
  readonly storageRebate: bigint;
  readonly nonRefundableStorageFee: bigint;
}

/** Net charge to the gas coin: negative when deleting objects returns more than the rest costs. */
export function netGasMist(gas: GasSummary): bigint {
  return gas.computationCost + gas.storageCost - gas.storageRebate;
}

export function gasFor(
  consumed: Iterable<ChainObject>,
  written: Iterable<LiveObject>,
  priceMist: bigint,
  packageMist = 0n,
): GasSummary {
  let returned = 0n;
  for (const object of consumed) returned += object.storageRebateMist;
  let storageCost = packageMist;
  for (const object of written) storageCost += storageFeeOf(object);
  const storageRebate = (returned * STORAGE_REBATE_BASIS_POINTS) / 10_000n;
  return {
    computationCost: COMPUTATION_GAS_UNITS * priceMist,
    storageCost,
    storageRebate,
    nonRefundableStorageFee: returned - storageRebate,
  };
}

/** A budget too small even for the failed form of a transaction is charged whole, and storage stays unchanged. */
export function wholeBudget(
  consumed: Iterable<ChainObject>,
  written: Iterable<LiveObject>,
  budgetMist: bigint,
): GasSummary {
  const { storageCost } = gasFor(consumed, written, 0n);
  return { computationCost: budgetMist, storageCost, storageRebate: storageCost, nonRefundableStorageFee: 0n };
}
