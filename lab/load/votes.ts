import pg from 'pg';
import { buildPage, isPageBuilt } from '#ops/page/build-page.ts';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { run } from '#ops/process/programs.ts';
import { ROOT, step } from '#ops/process/report.ts';
import { serverSettings, WITHOUT_RATE_LIMITS } from '../settings.ts';
import { serverEntry, startDatabase, startServer } from '../stack.ts';
import { findDifferencesAt } from './differences.ts';
import { plantPeople } from './people.ts';
import { databaseMs, postmasterOf, processMs } from './processor.ts';
import { measureReads, type ReadSide } from './reads.ts';
import { type Finding, median, spread } from './report.ts';
import { measureVisits } from './visits.ts';
import { Voters } from './voters.ts';

const USERS = 200_000;
const PROJECTS = 1_009;
const READ_MS = 1_500;
const DATABASE_SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '15min' };

interface Side {
  name: string;
  turn(ms: number): Promise<void>;
  rates: number[];
  serverMicros: number[];
  databaseMicros: number[];
  findDifferences(): Promise<string[]>;
  reads: ReadSide;
}

async function startSide(lifecycle: Lifecycle, folder: string, name: string): Promise<Side> {
  const { url: databaseUrl } = await startDatabase(lifecycle, { settings: DATABASE_SETTINGS, isBare: true });
  const env = { ...inheritedEnv(), ...serverSettings(databaseUrl), ...WITHOUT_RATE_LIMITS, LOG_LEVEL: 'warn' };
  const migrated = await run(process.execPath, [`${folder}/scripts/migrate.ts`], { env });
  if (migrated.code !== 0) throw new Error(`${name} could not migrate its database: ${migrated.output}`);
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await lifecycle.atEnd(() => client.end());
  await plantPeople(client, USERS, PROJECTS);
  await client.query('VACUUM ANALYZE');
  const postmaster = await postmasterOf(client);
  const server = await startServer(lifecycle, { ...env, NODE_ENV: 'production' }, { folder });
  const voters = new Voters({ urls: [server.url], users: USERS, projects: PROJECTS });
  const side: Side = {
    name,
    rates: [],
    serverMicros: [],
    databaseMicros: [],
    async turn(ms) {
      const before = [voters.acknowledged.size, await processMs(server.pid), await databaseMs(postmaster)] as const;
      side.rates.push(await voters.measureCapacity(ms));
      const votes = voters.acknowledged.size - before[0];
      side.serverMicros.push((1000 * ((await processMs(server.pid)) - before[1])) / votes);
      side.databaseMicros.push((1000 * ((await databaseMs(postmaster)) - before[2])) / votes);
    },
    reads: { name, url: server.url, pid: server.pid, databaseMs: () => databaseMs(postmaster) },
    // Our check knows our books, not those of another commit.
    findDifferences: async () => [
      ...voters.problems.slice(0, 3),
      ...(folder === ROOT ? await findDifferencesAt(databaseUrl) : []),
    ],
  };
  return side;
}

const totalOf = ({ serverMicros, databaseMicros }: Side): number => median(serverMicros) + median(databaseMicros);

const findingsOf = (side: Side): Finding[] => [
  { name: `${side.name}: votes a second`, value: median(side.rates), unit: '', detail: spread(side.rates) },
  {
    name: `${side.name}: processor time a vote`,
    value: totalOf(side),
    unit: 'µs',
    detail: `server ${spread(side.serverMicros)}, database ${spread(side.databaseMicros)}`,
  },
];

interface VotesOptions {
  turns: number;
  seconds: number;
  /** Folder with another commit, which is measured in turns with this one. */
  against?: string | undefined;
}

/**
 * Votes a second and processor time a vote. Another commit takes turns of some seconds with this one, each on a separate
 * database, so that both meet the same changes of the machine. The load takes its share of the processors.
 */
export async function votes(lifecycle: Lifecycle, { turns, seconds, against }: VotesOptions): Promise<Finding[]> {
  const names = [[ROOT, 'this commit'], ...(against === undefined ? [] : [[against, 'the other one']])] as const;
  // Before a minute of planting.
  for (const [folder] of names) serverEntry(folder);
  if (!(await isPageBuilt())) await step('page built', buildPage);
  const sides: Side[] = [];
  for (const [folder = ROOT, name = ''] of names)
    sides.push(await step(`${name}: server started`, () => startSide(lifecycle, folder, name)));
  for (const side of sides) await step(`${side.name}: warmed up`, () => side.turn(seconds * 1_000));
  for (const side of sides) for (const figures of [side.rates, side.serverMicros, side.databaseMicros]) figures.pop();
  for (let turn = 1; turn <= turns; turn += 1)
    await step(`turn ${turn} of ${turns}`, async () => {
      for (const side of sides) await side.turn(seconds * 1_000);
    });
  const [ours, other] = sides;
  const readSides = sides.map(({ reads }) => reads);
  const reads = await step('reads', () => measureReads(lifecycle, readSides, READ_MS));
  const visits = ours ? await step('visits', () => measureVisits(lifecycle, ours.reads)) : [];
  const differences = (await Promise.all(sides.map((side) => side.findDifferences()))).flat();
  return [
    ...sides.flatMap(findingsOf),
    ...reads,
    ...visits,
    ...(ours && other
      ? [
          {
            name: 'votes a second, this ÷ other',
            value: median(ours.rates) / median(other.rates),
            unit: '×' as const,
            detail: '',
          },
          {
            name: 'processor time a vote, this ÷ other',
            value: totalOf(ours) / totalOf(other),
            unit: '×' as const,
            detail: '',
          },
        ]
      : []),
    {
      name: 'rows that contradict each other',
      value: differences.length,
      unit: '',
      atMost: 0,
      detail: differences.slice(0, 3).join('; '),
    },
  ];
}
