import fc from 'fast-check';
import type { Scenario } from './scenario.ts';

/** Numbers choose among what exists when the step is taken: users, projects, orders, withdrawals. */
const any = fc.nat(1000);
const user = any;
const project = any;
const bullish = fc.boolean();
const twice = fc.boolean();
const purpose = fc.constantFrom('submit' as const, 'update' as const, 'renew' as const);
const amount = fc.oneof(fc.constantFrom(0, 49, 50, 51, 20_000, 1_000_000), fc.integer({ min: 50, max: 9_000 }));

const of = <T>(weight: number, fields: { [F in keyof T]: fc.Arbitrary<T[F]> }) => ({
  weight,
  values: fc.record(fields),
});

/** Each kind of step, with its weight and its fields. */
const KINDS = {
  vote: of(6, { user, project, bullish, twice }),
  change: of(4, { user, project, bullish, twice }),
  undo: of(3, { user, project, twice }),
  period: of(2, { project }),
  review: of(2, { user, project }),
  withdraw: of(4, { user, amount, key: fc.option(fc.constantFrom('key-one', 'key-two')) }),
  decide: of(3, { withdrawal: any, approve: fc.boolean() }),
  payout: of(2, { count: any }),
  prepare: of(3, { user, purpose }),
  execute: of(3, { order: any }),
  place: of(3, { order: any }),
  pay: of(2, { user, purpose }),
  replay: of(3, { digest: any, user, purpose: fc.constantFrom('submit' as const, 'renew' as const) }),
  crash: of(2, {}),
  console: of(2, { statement: any }),
};
type Kind = keyof typeof KINDS;
type FieldsOf<K extends Kind> = (typeof KINDS)[K]['values'] extends fc.Arbitrary<infer T> ? T : never;
export type Step<K extends Kind = Kind> = { [Of in K]: { kind: Of } & FieldsOf<Of> }[K];
export type Takers = { [K in Kind]: (scenario: Scenario, step: Step<K>) => Promise<void> };

const step = fc.oneof(
  ...Object.entries(KINDS).map(([kind, { weight, values }]) => ({
    weight,
    arbitrary: values.map((fields) => ({ kind, ...fields })),
  })),
) as fc.Arbitrary<Step>;

export const steps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 6, maxLength: 24, size: 'max' });
