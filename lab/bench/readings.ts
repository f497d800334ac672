import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '#ops/process/report.ts';
import { fillPeople } from './data.ts';
import { startNode } from './node.ts';
import type { Finding } from './report.ts';
import { startBenchDatabase, startBenchServer } from './stack.ts';
import type { PartOptions } from './suite.ts';

const CALL_MS = 100;
const WALLETS = 1_000_000;

/** The first reading of a site of a million wallets, as far as it comes in the given time. */
export async function readings({ lifecycle, pace, quick }: PartOptions): Promise<Finding[]> {
  const wallets = quick ? WALLETS / 10 : WALLETS;
  const database = await step('Database started', () => startBenchDatabase(lifecycle));
  const { client } = database;
  await step(`${wallets.toLocaleString('en')} wallets with votes`, async () => {
    await fillPeople(client, wallets, 1);
    await client.query(`UPDATE user_stats SET last_day = (now() AT TIME ZONE 'UTC')::date`);
    await client.query('VACUUM ANALYZE user_stats');
  });
  const node = await lifecycle.own(startNode(CALL_MS));
  await client.query(`INSERT INTO standing_readings (day, reading, starts_at)
    SELECT (now() AT TIME ZONE 'UTC')::date, r, now() + (r - 1) * interval '1 hour' FROM generate_series(1, 2) r`);

  await client.query(`DELETE FROM job_runs WHERE name = 'read-standing'`);
  const server = await startBenchServer(lifecycle, database.url, 1, { SUI_RPC_URL: node.url });
  const read = async (): Promise<number> => {
    const { rows } = await client.query<{ read: number }>(
      'SELECT sum(wallets_read)::int AS read FROM standing_readings',
    );
    return rows[0]?.read ?? 0;
  };
  /** Results are stored once a round, so that only whole rounds are measured. */
  const endOfRound = async (): Promise<{ read: number; atMs: number }> => {
    const before = await read();
    while ((await read()) === before) await sleep(20);
    return { read: await read(), atMs: performance.now() };
  };
  await step('The reading has begun', endOfRound);
  // The quick run has fewer wallets, and the pace of a million.
  await client.query('UPDATE standing_readings SET wallets = $1 WHERE reading = 1', [WALLETS]);
  const from = await endOfRound();
  const seconds = pace.runSeconds * 5;
  await step(`Balances read for ${seconds} s`, () => sleep(seconds * 1000));
  const to = await endOfRound();
  const count = to.read - from.read;
  const perSecond = (count * 1000) / (to.atMs - from.atMs);
  await server.stop();
  return [
    {
      name: `balances read per second, ${CALL_MS} ms a call`,
      value: perSecond,
      unit: '',
      atLeast: 200,
      detail: `${count.toLocaleString('en')} balances of ${wallets.toLocaleString('en')} wallets; both readings of a million take ${((2 * WALLETS) / perSecond / 3600).toFixed(1)} h`,
    },
  ];
}
