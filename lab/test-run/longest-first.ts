import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest and mostly wait: started first, none of them ends long after all others. Vitest knows
 * durations only from an earlier run, which a fresh clone has not had, and uses the size of files until then.
 */
export const LONGEST = [
  'ops/serve/workers.test.ts',
  'server/money/payments/faults.test.ts',
  'server/voting/votes/faults.test.ts',
  'server/panel/console/console.test.ts',
  'server/panel/console/console-attacks.test.ts',
  'server/money/payments/rotation.test.ts',
  'server/money/payouts/automatic.test.ts',
  'ops/postgres/embedded.test.ts',
  'server/money/payments/attacks.test.ts',
  'lab/load/attacks/pictures.test.ts',
  'lab/load/attacks/bounded-writes.test.ts',
  'server/proxies.test.ts',
  'server/people/push/push.test.ts',
  'server/kit/replica.test.ts',
  'server/chain-swap.test.ts',
  'lab/simulation/simulation.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? LONGEST.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rankOf(one) - rankOf(other));
  }
}
