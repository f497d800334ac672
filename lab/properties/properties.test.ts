import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLongRun, runs } from '#shared/testing/property-runs.ts';
import { createTestDatabase } from '../testing/app.ts';
import { sharedChain } from '../testing/chain.ts';
import { expectMoneyExact, expectTokensExact } from './expect-exact.ts';
import { execute, pay, place, prepare, replay } from './money.ts';
import { Scenario } from './scenario.ts';
import { type Step, steps, type Takers } from './steps.ts';
import { beginPeriod, change, decide, payout, review, typeInConsole, undo, vote, withdraw } from './tokens.ts';

const MAX_MS = isLongRun ? 24 * 3_600_000 : 35_000;

const TAKERS: Takers = {
  vote,
  change,
  undo,
  period: beginPeriod,
  review,
  withdraw,
  decide,
  payout,
  prepare,
  execute,
  place,
  pay,
  replay,
  crash: (scenario) => scenario.crash(),
  console: typeInConsole,
};
const take = <K extends keyof Takers>(scenario: Scenario, step: Step<K>): Promise<void> =>
  TAKERS[step.kind](scenario, step);

async function runSteps(taken: readonly Step[]): Promise<void> {
  const database = await createTestDatabase();
  const scenario = await Scenario.begin(sharedChain(), database.url);
  try {
    for (const step of taken) {
      await take(scenario, step);
      await expectTokensExact(scenario);
    }
    await expectMoneyExact(scenario);
  } finally {
    await scenario.end();
    await database.drop();
  }
}

test(
  'any sequence keeps balance = ledger ≥ 0, counters = newest opinions, one fulfilment per digest, no listing shorter than paid [R13 R17 R57]',
  async () => {
    const outcome = fc.assert(fc.asyncProperty(steps, runSteps), {
      ...runs(10),
      // A machine that is very busy does fewer.
      interruptAfterTimeLimit: MAX_MS,
      endOnFailure: !isLongRun,
    });
    await expect(outcome).resolves.toBeUndefined();
  },
  MAX_MS + 60_000,
);
