import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { progress, step } from '#ops/process/report.ts';
import { age, fillPeople, fillVotes } from './data.ts';
import type { Finding } from './report.ts';
import { startBenchDatabase, startBenchServer } from './stack.ts';
import type { PartOptions } from './suite.ts';

const DAY = { users: 40_000, projects: 211, votesEach: 25 };
const LOOK_MS = 200;

/**
 * Publishing a day of a million votes at a server's start: the time, and the additional memory compared with a server
 * that publishes nothing.
 */
export async function record({ lifecycle, quick }: PartOptions): Promise<Finding[]> {
  const users = quick ? DAY.users / 20 : DAY.users;
  const database = await step('Database started', () => startBenchDatabase(lifecycle));
  const { client } = database;
  const votes = users * DAY.votesEach;
  await step(`${votes.toLocaleString('en')} votes`, async () => {
    await fillPeople(client, users, DAY.projects);
    await fillVotes(client, { users, projects: DAY.projects, from: 1, to: DAY.votesEach, onProgress: progress });
    await age(client);
  });
  const idle = await startBenchServer(lifecycle, database.url);
  const idleMb = await idle.peakMemoryMb();
  await idle.stop();
  await client.query(`DELETE FROM job_runs WHERE name = 'publish-record'`);
  const server = await startBenchServer(lifecycle, database.url, 1, {
    LOG_PRIVATE_KEY: randomBytes(32).toString('base64'),
  });
  const startedAtMs = performance.now();
  const published = await step('Published', async () => {
    for (;;) {
      const { rows } = await client.query<{ votes: string; size: string }>('SELECT votes, size FROM log_checkpoints');
      if (rows[0]) return rows[0];
      await sleep(LOOK_MS);
    }
  });
  const seconds = (performance.now() - startedAtMs) / 1000;
  const peakMb = await server.peakMemoryMb();
  const { rows } = await client.query<{ files: string; mb: number }>(
    `SELECT count(*) AS files, sum(octet_length(bytes)) / 1e6 AS mb FROM log_files`,
  );
  await server.stop();
  const [files] = rows;
  return [
    {
      name: 'votes published',
      value: Number(published.votes),
      unit: '',
      atLeast: votes,
      detail: `${published.size} entries, ${files?.files} files, ${Math.round(Number(files?.mb))} MB`,
    },
    { name: 'seconds to publish them', value: seconds, unit: '', detail: 'one process, beside PostgreSQL' },
    {
      name: 'memory that publishing takes',
      value: peakMb - idleMb,
      unit: 'MB',
      atMost: 150,
      detail: `resident, at its highest: ${Math.round(peakMb)} MB, without ${Math.round(idleMb)} MB`,
    },
  ];
}
