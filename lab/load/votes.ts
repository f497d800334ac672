import pg from 'pg';
import { buildPage, isPageBuilt } from '#ops/page/build-page.ts';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { run } from '#ops/process/programs.ts';
import { ROOT, step } from '#ops/process/report.ts';
import { serverSettings, WITHOUT_RATE_LIMITS } from '../settings.ts';
import { serverEntry, startDatabase, startServer } from '../stack.ts';
import { findDifferencesAt } from './differences.ts';
import { plantPeople, TOKEN_HASH } from './people.ts';
import { databaseMs, postmasterOf, processMs } from './processor.ts';
import { measureReads, type ReadSide, startRaw } from './reads.ts';
import { type Finding, median, spread } from './report.ts';
import { measureVisits } from './visits.ts';
import { Voters } from './voters.ts';

const USERS = 200_000;
const PROJECTS = 1_009;
const READ_MS = 1_500;
const DATABASE_SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', checkpoint_timeout: '15min' };

interface Started extends Omit<ReadSide, 'name'> {
  client: pg.Client;
  findDifferences: () => Promise<string[]>;
}

interface Side extends Started {
  name: string;
  voters: Voters;
  turn(ms: number): Promise<void>;
  rates: number[];
  serverMicros: number[];
  databaseMicros: number[];
}

async function startDatabaseWith(lifecycle: Lifecycle, plant: (client: pg.Client, url: string) => Promise<void>) {
  const { url } = await startDatabase(lifecycle, { settings: DATABASE_SETTINGS, isBare: true });
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await lifecycle.atEnd(() => client.end());
  await plant(client, url);
  await client.query('VACUUM ANALYZE');
  const postmaster = await postmasterOf(client);
  return { databaseUrl: url, client, databaseMs: () => databaseMs(postmaster) };
}

async function startCommit(lifecycle: Lifecycle, folder: string): Promise<Started> {
  const envOf = (url: string) => ({
    ...inheritedEnv(),
    ...serverSettings(url),
    ...WITHOUT_RATE_LIMITS,
    LOG_LEVEL: 'warn',
  });
  const { databaseUrl, ...database } = await startDatabaseWith(lifecycle, async (client, url) => {
    const migrated = await run(process.execPath, [`${folder}/scripts/migrate.ts`], { env: envOf(url) });
    if (migrated.code !== 0) throw new Error(`${folder} could not migrate its database: ${migrated.output}`);
    await plantPeople(client, USERS, PROJECTS);
  });
  const { url, pid } = await startServer(lifecycle, { ...envOf(databaseUrl), NODE_ENV: 'production' }, { folder });
  // Our check knows our books, not those of another commit.
  const findDifferences = async () => (folder === ROOT ? findDifferencesAt(databaseUrl) : []);
  return { url, pid, ...database, findDifferences };
}

const BARE_TABLES = `
  CREATE TABLE users (id int PRIMARY KEY, votes int NOT NULL DEFAULT 0, balance bigint NOT NULL DEFAULT 0) WITH (fillfactor = 80);
  CREATE TABLE sessions (token_hash bytea PRIMARY KEY, user_id int NOT NULL, expires_at timestamptz NOT NULL);
  CREATE TABLE projects (id int PRIMARY KEY, bullish int NOT NULL DEFAULT 0, bearish int NOT NULL DEFAULT 0) WITH (fillfactor = 50);
  CREATE TABLE votes (user_id int NOT NULL, project_id int NOT NULL, bullish boolean NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, project_id));
  INSERT INTO users SELECT generate_series(1, ${USERS});
  INSERT INTO projects SELECT generate_series(1, ${PROJECTS});
  INSERT INTO sessions
    SELECT ${TOKEN_HASH}, i, now() + interval '1 day' FROM generate_series(1, ${USERS}) i`;

async function startBare(lifecycle: Lifecycle): Promise<Started> {
  const { databaseUrl, ...database } = await startDatabaseWith(
    lifecycle,
    async (client) => void (await client.query(BARE_TABLES)),
  );
  return { ...(await startRaw(lifecycle, 'raw-votes.ts', databaseUrl)), ...database, findDifferences: async () => [] };
}

function sideOf(name: string, started: Started): Side {
  const { url, pid } = started;
  const voters = new Voters({ urls: [url], users: USERS, projects: PROJECTS });
  const side: Side = {
    ...started,
    name,
    voters,
    rates: [],
    serverMicros: [],
    databaseMicros: [],
    async turn(ms) {
      const before = [voters.acknowledged.size, await processMs(pid), await started.databaseMs()] as const;
      side.rates.push((await voters.measureCapacity(ms)).perSecond);
      const votes = voters.acknowledged.size - before[0];
      side.serverMicros.push((1000 * ((await processMs(pid)) - before[1])) / votes);
      side.databaseMicros.push((1000 * ((await started.databaseMs()) - before[2])) / votes);
    },
    findDifferences: async () => [...voters.problems.slice(0, 3), ...(await started.findDifferences())],
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

const comparisonOf = (ours: Side, other: Side): Finding[] => [
  {
    name: `votes a second, this ÷ ${other.name}`,
    value: median(ours.rates.map((rate, turn) => rate / (other.rates[turn] ?? Number.NaN))),
    unit: '×',
    detail: '',
  },
  {
    name: `processor time a vote, this ÷ ${other.name}`,
    value: totalOf(ours) / totalOf(other),
    unit: '×',
    detail: '',
  },
];

const FLUSH_DELAY_US = 2_000;
const CROWD = 3_000;

async function setDelay(client: pg.Client, microseconds: number): Promise<void> {
  // Before each flush, however few transactions are open.
  await client.query('ALTER SYSTEM SET commit_siblings = 0');
  await client.query(`ALTER SYSTEM SET commit_delay = ${microseconds}`);
  await client.query('SELECT pg_reload_conf()');
}

/** What is left of a side's votes on a disk that flushes slowly, and when more people vote at once than the queue takes. */
async function measureLimits({ name, rates, voters, client }: Side, ms: number): Promise<Finding[]> {
  await setDelay(client, FLUSH_DELAY_US);
  const slow = await voters.measureCapacity(ms);
  await setDelay(client, 0);
  const [refused, crowd] = [voters.serverErrors.length, await voters.measureCapacity(ms, CROWD)];
  return [
    {
      name: `${name}: votes with ${FLUSH_DELAY_US / 1_000} ms more per flush ÷ without`,
      value: slow.perSecond / median(rates),
      unit: '×',
      detail: '',
    },
    {
      name: `${name}: votes of ${CROWD.toLocaleString('en')} at once ÷ of 64`,
      value: crowd.perSecond / median(rates),
      unit: '×',
      detail: `${voters.serverErrors.length - refused} sent again, p99 ${Math.round(crowd.p99Ms)} ms`,
    },
  ];
}

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
  const commits: Side[] = [];
  for (const [folder = ROOT, name = ''] of names)
    commits.push(sideOf(name, await step(`${name}: server started`, () => startCommit(lifecycle, folder))));
  const bare = sideOf('a bare server', await step('a bare server: started', () => startBare(lifecycle)));
  const sides = [...commits, bare];
  for (const side of sides) await step(`${side.name}: warmed up`, () => side.turn(seconds * 1_000));
  for (const side of sides) for (const figures of [side.rates, side.serverMicros, side.databaseMicros]) figures.pop();
  for (let turn = 1; turn <= turns; turn += 1)
    await step(`turn ${turn} of ${turns}`, async () => {
      for (const side of sides) await side.turn(seconds * 1_000);
    });
  const limits = await step('limits', async () => {
    const found: Finding[] = [];
    for (const side of sides) found.push(...(await measureLimits(side, seconds * 1_000)));
    return found;
  });
  const [ours, ...others] = commits;
  const reads = await step('reads', () => measureReads(lifecycle, commits, READ_MS));
  const visits = ours ? await step('visits', () => measureVisits(lifecycle, ours)) : [];
  const differences = (await Promise.all(sides.map((side) => side.findDifferences()))).flat();
  return [
    ...sides.flatMap(findingsOf),
    ...(ours ? [...others, bare].flatMap((other) => comparisonOf(ours, other)) : []),
    ...limits,
    ...reads,
    ...visits,
    {
      name: 'rows that contradict each other',
      value: differences.length,
      unit: '',
      atMost: 0,
      detail: differences.slice(0, 3).join('; '),
    },
  ];
}
