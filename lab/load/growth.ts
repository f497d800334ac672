import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import pg from 'pg';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { messageOf, progress, step } from '#ops/process/report.ts';
import { ATOM_PATH } from '#shared/site/pages.ts';
import { allRoutes } from '#server/routes.ts';
import { jobs } from '#server/jobs.ts';
import { checkInvariants } from '#server/money/ledger/recount.ts';
import { closeDays, closeDaysAt } from '#server/record/close-days.ts';
import type { Services } from '#server/kit/services.ts';
import { READING_JOB } from '#server/figures/standing/read-standing.ts';
import { openSite, type Site } from '../services.ts';
import { startDatabase, startSandbox, TestOwner } from '../stack.ts';
import { type Cost, Meter } from './growth/cost.ts';
import { castNewVotes, newVotesOf } from './growth/new-votes.ts';
import { plantHistory, plantVoters, projectOf, type Size } from './growth/plant.ts';
import type { Finding } from './report.ts';

/** A Sunday's work grows with users, not with their votes: more users would take an hour longer for the same ratios. */
const MOST_USERS = 50_000;
const FEWEST_VOTES_EACH = 5;

/** Shorter times count as this one: their ratio would be noise. A read is measured many times, a job once. */
const LEAST_READ_MS = 10;
const LEAST_JOB_MS = 50;
const MOST_GROWTH = 1.3;
const MOST_BYTES = 240;
/** Each read is repeated for about this long, 2 to 20 times; the cheapest of some such rounds counts. */
const READ_MS = 300;
const READ_ROUNDS = 4;

const DISK_BYTES = { each: 900, besides: 6e9 };

const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '2GB',
  maintenance_work_mem: '256MB',
  checkpoint_timeout: '15min',
  max_connections: '50',
  // All work happens in the backends whose processor time is measured.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  autovacuum: 'off',
  jit: 'off',
};

/** A cost, or the reason why it was not measured. */
type Costs = Map<string, Cost | string>;

interface Measured {
  reads: Costs;
  jobs: Costs;
  differences: string[];
  /** Bytes of each table with its keys. */
  bytes: Map<string, number>;
  votes: number;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

async function assertRoom(votes: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const needed = votes * DISK_BYTES.each + DISK_BYTES.besides;
  if (bavail * bsize < needed)
    throw new Error(
      `${whole(votes)} votes need ${whole(needed / 1e9)} GB in ${tmpdir()}, which has ${whole((bavail * bsize) / 1e9)}.`,
    );
}

function publicReads(): string[] {
  const declared = allRoutes
    .map(({ endpoint }) => endpoint)
    .filter(({ method, access }) => method === 'GET' && access === 'public')
    .map(({ path: declaredPath }) => declaredPath.replace(/\{\w+\}/g, String(projectOf(1, 0))))
    .map((url) => (url.endsWith('/lookup') ? `${url}?package=0x7` : url));
  return [...new Set(declared), '/badge/project-7.svg', ATOM_PATH, '/log/checkpoint'];
}

async function timeReads({ app }: Site, meter: Meter): Promise<Costs> {
  const costs: Costs = new Map();
  for (const url of publicReads()) {
    const get = async (): Promise<void> => {
      const { statusCode } = await app.inject({ url });
      if (statusCode >= 300) throw new Error(`status ${statusCode}`);
    };
    const work = async (): Promise<Cost> => {
      await get();
      const startedMs = performance.now();
      await get();
      const runs = Math.min(20, Math.max(2, Math.floor(READ_MS / (performance.now() - startedMs))));
      const rounds: Cost[] = [];
      for (let round = 0; round < READ_ROUNDS; round += 1) {
        const cost = await meter.measure(async () => {
          for (let run = 0; run < runs; run += 1) await get();
        });
        rounds.push(each(cost, runs));
      }
      return rounds.reduce((least, cost) => (cost.cpuMs < least.cpuMs ? cost : least));
    };
    costs.set(`GET ${url}`, await work().catch(messageOf));
  }
  return costs;
}

const each = ({ cpuMs, databaseMs, rows, seconds }: Cost, runs: number): Cost => ({
  cpuMs: cpuMs / runs,
  databaseMs: databaseMs / runs,
  rows: rows / runs,
  seconds: seconds / runs,
});

type Work = () => Promise<unknown>;

const MOST_ROUNDS = 8;
const DAILY = 'daily:';

const BOOKS_JOB = 'check-invariants';

/** Runs both readings of today. The results of each round are replaced by planted ones. */
async function readBalances({ db }: Services, round: () => Promise<unknown>): Promise<void> {
  await sql`DELETE FROM standing_readings`.execute(db);
  await sql`INSERT INTO standing_readings (day, reading, starts_at)
    SELECT (now() AT TIME ZONE 'UTC')::date, r, now() FROM generate_series(1, 2) r`.execute(db);
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
    await round();
    await sql`UPDATE standing_reads SET has_enough = user_id % 5 > 0`.execute(db);
    const { rows } = await sql`SELECT FROM standing_days WHERE day = (now() AT TIME ZONE 'UTC')::date`.execute(db);
    if (rows.length > 0) return;
  }
  throw new Error('The readings of today did not end.');
}

const PARTS_OF: Record<string, (services: Services, run: () => Promise<unknown>) => [name: string, Work][]> = {
  [READING_JOB]: (services, run) => [['both readings and the end of the day', () => readBalances(services, run)]],
  'close-days': (services, run) => [
    [
      `${DAILY} today, as a past day is closed`,
      () => closeDaysAt(services, { now: new Date(Date.now() + 86_400_000) }),
    ],
    [`${DAILY} digests`, run],
    ['nothing to close', run],
  ],
  [BOOKS_JOB]: (services, run) => [
    [`${DAILY} recount of everything`, () => checkInvariants(services)],
    ['no recount is due', run],
  ],
};

const READ_ALL = ['close-days', BOOKS_JOB];

/** Times every job; those that read everything come last. */
async function timeJobs({ services }: Site, meter: Meter): Promise<Costs> {
  const costs: Costs = new Map();
  const inOrder = [...jobs].toSorted((one, other) => READ_ALL.indexOf(one.name) - READ_ALL.indexOf(other.name));
  for (const { name, run } of inOrder) {
    const own = (): Promise<unknown> => run(services);
    const parts = PARTS_OF[name]?.(services, own).map(([part, work]) => [`${name}: ${part}`, work] as const);
    for (const [part, work] of parts ?? [[name, own] as const]) {
      costs.set(part, await meter.measure(work).catch(messageOf));
    }
  }
  return costs;
}

async function differencesOf({ db }: Services): Promise<string[]> {
  const run = await db
    .selectFrom('invariantRuns')
    .select(['differences', 'examples'])
    .orderBy('checkedAt', 'desc')
    .executeTakeFirst();
  return run ? run.examples : ['the books were not checked'];
}

/** Jobs that derive nothing from votes, or only digests of the record. */
const DERIVE_NOTHING: ReadonlySet<string> = new Set([READING_JOB, BOOKS_JOB]);

async function bytesOf(client: pg.ClientBase): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    'SELECT relname AS name, pg_total_relation_size(relid)::float8 AS bytes FROM pg_stat_user_tables',
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

async function settle({ services }: Site): Promise<void> {
  for (const { name, run } of jobs) if (!DERIVE_NOTHING.has(name)) await run(services);
}

async function measure(lifecycle: Lifecycle, size: Size): Promise<Measured> {
  const votes = size.users * size.votesEach;
  const owner = new TestOwner();
  await lifecycle.atEnd(() => owner.end());
  const sizeText = `${whole(votes)} votes`;
  try {
    const { url } = await step(`${sizeText}: database started`, () =>
      startDatabase(owner, { settings: SETTINGS, durable: false }),
    );
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await owner.atEnd(() => client.end());
    const node = await startSandbox(owner);
    const site = await step(`${sizeText}: ${whole(size.users)} users`, async () => {
      await plantVoters(client, size);
      const opened = await openSite(owner, url, node);
      await closeDays(opened.services);
      return opened;
    });
    await step(`${sizeText}: planted`, () => plantHistory(client, size, progress));
    // Autovacuum is off: it would have summarized the indexes by time.
    await step(`${sizeText}: vacuumed`, () => client.query('VACUUM ANALYZE'));
    const meter = await Meter.open(client, site.services.pool);
    const derived = await step(`${sizeText}: what jobs derive from them`, () => meter.measure(() => settle(site)));
    await client.query('VACUUM ANALYZE');
    const bytes = await bytesOf(client);
    await step(`${sizeText}: ${whole(newVotesOf(size))} new votes`, () => castNewVotes(site.services, size));
    await client.query('ANALYZE; CHECKPOINT');
    const reads = await step(`${sizeText}: public reads`, () => timeReads(site, meter));
    const jobCosts = await step(`${sizeText}: jobs`, () => timeJobs(site, meter));
    jobCosts.set(`${DAILY} all jobs after the history, from nothing`, derived);
    const measured = { reads, jobs: jobCosts, differences: await differencesOf(site.services), bytes, votes };
    console.log(costsText(measured));
    return measured;
  } finally {
    await owner.end();
  }
}

const milliseconds = (value: number): string => (value < 100 ? value.toFixed(1) : whole(value));

function costsText({ reads, jobs: jobCosts, votes }: Measured): string {
  const costs = [...reads, ...jobCosts].toSorted(([, one], [, other]) => cpuOf(other) - cpuOf(one));
  const lines = costs.map(([name, cost]) =>
    typeof cost === 'string'
      ? `  failed       ${name}: ${cost}`
      : `  ${milliseconds(cost.cpuMs).padStart(9)} ms ${name}`,
  );
  return [`${whole(votes)} votes, processor time of each read and job:`, ...lines].join('\n');
}

const cpuOf = (cost: Cost | string): number => (typeof cost === 'string' ? Infinity : cost.cpuMs);

/** Both sizes have the same users and projects, so differences come from votes alone. */
function bytesFinding(few: Measured, many: Measured): Finding {
  const further = many.votes - few.votes;
  const parts = [...many.bytes]
    .map(([name, bytes]) => ({ name, each: (bytes - (few.bytes.get(name) ?? 0)) / further }))
    .toSorted((one, other) => other.each - one.each);
  return {
    name: 'bytes of a further vote, with keys',
    value: parts.reduce((sum, { each: bytes }) => sum + bytes, 0),
    unit: '',
    atMost: MOST_BYTES,
    detail: parts
      .filter(({ each: bytes }) => bytes >= 0.5)
      .map(({ name, each: bytes }) => `${name} ${whole(bytes)}`)
      .join(', '),
  };
}

function growthFinding(name: string, few: Cost, many: Cost, leastMs: number, isBounded: boolean): Finding {
  const [early, late] = [few.cpuMs, many.cpuMs];
  return {
    name,
    value: Math.max(late, leastMs) / Math.max(early, leastMs),
    unit: '×',
    ...(isBounded ? { atMost: MOST_GROWTH } : {}),
    detail: `${milliseconds(late)} ÷ ${milliseconds(early)} ms of processor time (database ${milliseconds(many.databaseMs)}), rows ${whole(many.rows)} ÷ ${whole(few.rows)}, ${many.seconds.toFixed(2)} s`,
  };
}

function compare(few: Costs, many: Costs, leastMs: number, isBounded: (name: string) => boolean): Finding[] {
  return [...many].flatMap(([name, late]): Finding[] => {
    const early = few.get(name);
    if (early === undefined) return [];
    const failed = [late, early].find((cost) => typeof cost === 'string');
    if (typeof early === 'string' || typeof late === 'string')
      return [{ name, value: Infinity, unit: '×', atMost: MOST_GROWTH, detail: `failed: ${String(failed)}` }];
    return [growthFinding(name, early, late, leastMs, isBounded(name))];
  });
}

const DAY_MS = 86_400_000;

const isFrequent = (name: string): boolean =>
  !name.includes(DAILY) && (jobs.find((job) => job.name === name)?.intervalMs ?? 0) < DAY_MS;

/**
 * Measures every public read and every job at two sizes of history, with the same new votes. Processor time and rows
 * read hardly depend on the load of the machine.
 */
export async function growth(lifecycle: Lifecycle, sizes: readonly number[]): Promise<Finding[]> {
  const [fewest, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (sizes.length !== 2 || fewest === most || !(fewest >= 1_000))
    throw new Error('Growth is measured between two numbers of votes, such as --sizes 100000,1000000.');
  const users = Math.min(MOST_USERS, Math.floor(fewest / FEWEST_VOTES_EACH));
  await assertRoom(most);
  const [few, many] = [
    await measure(lifecycle, { users, votesEach: Math.floor(fewest / users) }),
    await measure(lifecycle, { users, votesEach: Math.floor(most / users) }),
  ];
  return [
    ...compare(few.reads, many.reads, LEAST_READ_MS, () => true),
    ...compare(few.jobs, many.jobs, LEAST_JOB_MS, isFrequent),
    bytesFinding(few, many),
    {
      name: 'rows that contradict each other afterwards',
      value: few.differences.length + many.differences.length,
      unit: '',
      atMost: 0,
      detail: [...few.differences, ...many.differences].slice(0, 3).join('; '),
    },
  ];
}
