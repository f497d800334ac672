import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import lieCost from '#shared/figures/lie-cost.json' with { type: 'json' };
import { coinsAtOnce } from '#shared/figures/cost-to-change.ts';
import { createTestDatabase } from '../testing/app.ts';
import { BYSTANDERS } from './failing-node.ts';
import stored from './results.json' with { type: 'json' };
import { jsonOf, lieCostOf, patienceText, type SimulatedTable } from './results.ts';
import { simulate } from './run.ts';
import { CROWD } from './world.ts';

const TABLES = stored as unknown as SimulatedTable[];
const [demo] = TABLES;

const WORLD_TIMEOUT_MS = 600_000;

async function play(world: SimulatedTable['world'], crowd = CROWD): Promise<SimulatedTable> {
  const { url, drop } = await createTestDatabase();
  try {
    return await simulate(url, { world, seed: 1, ...crowd, onProgress: () => undefined });
  } finally {
    await drop();
  }
}

/** Wallets of ten SUI: a coin verifies one, or six coins seven, and a coin that moves on sooner loses the votes. */
const PROMISES: Pick<SimulatedTable, 'tenSui' | 'turnDays' | 'bystanders' | 'harmed'> = {
  tenSui: {
    each: { atOnce: 10, lasting: 10, paid: expect.any(Number) as number },
    rotate: { atOnce: 11, lasting: 11, paid: expect.any(Number) as number },
    halves: { atOnce: 10, lasting: 0, paid: expect.any(Number) as number },
    gaps: { atOnce: 10, lasting: 0, paid: 0 },
    readings: { atOnce: 0, lasting: 0, paid: 0 },
  },
  turnDays: 35,
  bystanders: BYSTANDERS,
  harmed: 0,
};

test(
  'simulated attacks on the demo give the committed results however coins are split, on any weekday [R37 R38]',
  async () => {
    const table = await play('demo');
    expect(table).toMatchObject(PROMISES);
    // To accept an intended change: npm run simulate -- --of demo --write
    expect(table).toEqual(demo);
  },
  WORLD_TIMEOUT_MS,
);

test('ten SUI verify the promised number of wallets on a small crowd [R37 R38]', async () => {
  expect(await play('crowd', { voters: 400, projects: 12 })).toMatchObject(PROMISES);
});

test('the committed files are the output of the command, for the demo and a crowd', async () => {
  expect(TABLES.map(({ world, voters, seed }) => ({ world, voters, seed }))).toEqual([
    { world: 'demo', voters: 40, seed: 1 },
    { world: 'crowd', voters: 100_000, seed: 1 },
  ]);
  for (const table of TABLES) expect(table).toMatchObject(PROMISES);
  expect(await readFile(new URL('./results.json', import.meta.url), 'utf8')).toBe(jsonOf(TABLES));
  expect(lieCost).toEqual(lieCostOf(TABLES));
  const docs = await readFile(new URL('../../docs/use/standing.md', import.meta.url), 'utf8');
  expect(docs.replaceAll('**', '').replaceAll(/\s+/g, ' ')).toContain(patienceText(TABLES));
  // 'Cost to change' counts with as many coins.
  expect(coinsAtOnce(lieCost.atOnce)).toBe(lieCost.sui);
});
