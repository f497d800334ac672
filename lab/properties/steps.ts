import fc from 'fast-check';

/** One action of a user. Numbers choose among what exists when it is done: users, projects, orders, withdrawals. */
export type Step =
  | { kind: 'vote'; user: number; project: number; bullish: boolean; twice: boolean }
  | { kind: 'change'; user: number; project: number; bullish: boolean; twice: boolean }
  | { kind: 'undo'; user: number; project: number; twice: boolean }
  | { kind: 'period'; project: number }
  | { kind: 'review'; user: number; project: number }
  | { kind: 'withdraw'; user: number; amount: number; key: string | null }
  | { kind: 'decide'; withdrawal: number; approve: boolean }
  | { kind: 'payout'; count: number; record: boolean }
  | { kind: 'prepare'; user: number; purpose: 'submit' | 'update' | 'renew' }
  | { kind: 'execute'; order: number }
  | { kind: 'place'; order: number }
  | { kind: 'pay'; user: number; purpose: 'submit' | 'update' | 'renew' }
  | { kind: 'replay'; digest: number; user: number; purpose: 'submit' | 'renew' }
  | { kind: 'crash' }
  | { kind: 'console'; statement: number };

const any = fc.nat(1000);
const user = any;
const purpose = fc.constantFrom('submit' as const, 'update' as const, 'renew' as const);
const amount = fc.oneof(fc.constantFrom(0, 49, 50, 51, 20_000, 1_000_000), fc.integer({ min: 50, max: 9_000 }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('vote' as const),
      user,
      project: any,
      bullish: fc.boolean(),
      twice: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      user,
      project: any,
      bullish: fc.boolean(),
      twice: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), user, project: any, twice: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('period' as const), project: any }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('review' as const), user, project: any }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      user,
      amount,
      key: fc.option(fc.constantFrom('key-one', 'key-two')),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('decide' as const), withdrawal: any, approve: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('payout' as const), count: any, record: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('prepare' as const), user, purpose }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('execute' as const), order: any }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('place' as const), order: any }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pay' as const), user, purpose }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('replay' as const),
      digest: any,
      user,
      purpose: fc.constantFrom('submit' as const, 'renew' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'crash' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('console' as const), statement: any }) },
);

export const steps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 6, maxLength: 24, size: 'max' });
