import { expect, test } from 'vitest';
import { coinsAtOnce } from '#shared/cost-to-change.ts';
import tables from './results.json' with { type: 'json' };
import type { SimulatedTable } from './results.ts';
import { STANDING_VOTER_DAYS, type VoterFacts } from '#shared/states/votes.ts';
import { createTestDatabase } from '../testing/app.ts';
import { LAST_DAY } from './clock.ts';
import stored from './found.json' with { type: 'json' };
import { SEARCHES, type StoredFound, toPlan } from './found.ts';
import { type Aim, AIMS, PRESENT_RULE, type Rule } from './model.ts';
import { replay } from './replay.ts';
import { search } from './search.ts';

const FOUND = (stored as StoredFound[]).map((found) => ({ ...found, plans: found.plans.map(toPlan) }));

const ROWS = (tables as SimulatedTable[]).flatMap(({ rows }) => rows);
const TEN = 10;
/** Wallets of the table that the payout rule pays with ten SUI. */
const PAID = Math.min(...ROWS.filter(({ strategy }) => strategy === 'farm_on').map(({ tried }) => tried));
const LASTING = Math.max(...ROWS.map(({ tenSui }) => tenSui.lasting));

/** Wallets that these coins reach, by what is printed. */
const PRINTED: Record<Aim, (coins: number) => number> = {
  atOnce: (coins) =>
    Array.from({ length: 2 * coins }, (_, more) => coins + more).findLast((wallets) => coinsAtOnce(wallets) <= coins) ??
    0,
  forGood: (coins) => Math.round((LASTING * coins * LAST_DAY) / (TEN * STANDING_VOTER_DAYS)),
  payout: (coins) => (PAID * coins) / TEN,
};

test('plans that the search found are not cheaper than the printed price, and the server counts them alike [R37 R38 R79]', async () => {
  const searched = SEARCHES.map(({ aim, coins }) => ({ aim, coins }));
  expect(FOUND.map(({ aim, coins }) => ({ aim, coins }))).toEqual(searched);
  for (const { aim, coins, wallets, plans } of FOUND) {
    for (let day = 0; day <= LAST_DAY; day += 1)
      expect(plans.filter(({ held }) => held[day] === 1).length).toBeLessThanOrEqual(coins);
    expect(plans.filter((plan) => AIMS[aim](plan, PRESENT_RULE).isReached)).toHaveLength(wallets);
    expect(wallets, `${aim}, ${coins} SUI`).toBeLessThanOrEqual(PRINTED[aim](coins));
  }
  const { url, drop } = await createTestDatabase();
  try {
    expect(await replay(url, FOUND)).toEqual(FOUND.map(({ wallets }) => wallets));
  } finally {
    await drop();
  }
});

const fewDays: Rule['voter'] = (facts: VoterFacts, minDays) =>
  PRESENT_RULE.voter({ ...facts, daysHeld: facts.daysHeld + 2 }, minDays);

test.each<[string, Aim, number, Partial<Rule>]>([
  ['a day without a question is none of the seven', 'atOnce', 1, { countsUnasked: false }],
  ['four of seven days are enough', 'atOnce', 4, { voter: fewDays }],
  [
    'a third of the days verifies for good',
    'forGood',
    2,
    { decide: ({ daysRead, daysHeld }) => (3 * daysHeld > daysRead ? 'verified' : 'no_standing') },
  ],
  ['the payout rule asks for standing only', 'payout', 2, { paidFrom: 0 }],
])('the search shows the hole of a rule: %s [R38 R79]', (_, aim, coins, hole) => {
  const options = { aim, coins, wallets: 4 * coins + 2, seed: 1, candidates: 100_000 };
  expect(search({ ...options, rule: { ...PRESENT_RULE, ...hole } }).wallets).toBeGreaterThan(PRINTED[aim](coins));
  expect(search(options).wallets).toBeLessThanOrEqual(PRINTED[aim](coins));
});
