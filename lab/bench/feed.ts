import { step } from '#ops/process/report.ts';
import { readOverHttp } from './contest.ts';
import { fillPeople, fillVotes, age } from './data.ts';
import { type Finding, median, spread } from './report.ts';
import { cookieOf, readRequest } from './requests.ts';
import type { LabServer } from '../stack.ts';
import { startBenchDatabase, startBenchServer } from './stack.ts';
import type { PartOptions } from './suite.ts';

const USERS = 20_000;
const PROJECTS = 1_009;
/** Votes that each user has cast before. */
const VOTES = 20;
const READERS = 2_000;
const CONNECTIONS = 64;
/** The page's first requests (web/lib/queries.ts). */
const FIRST_CARDS = 10;
/** Nothing listens there, so the server receives no change notifications and computes every feed in the database. */
const NO_NOTIFICATIONS = { DATABASE_DIRECT_URL: 'postgres://postgres@127.0.0.1:9/none' };

/** A feed request of each reader. */
function requests(query: string, headers = ''): string[] {
  return Array.from({ length: READERS }, (_, index) => {
    const user = 1 + ((index * 7_919) % USERS);
    return readRequest(`/api/projects?userId=${user}${query}`, user).replace(/\r\n$/, `${headers}\r\n`);
  });
}

const WORK = {
  plain: { name: 'personal feeds/s, 50 cards', atLeast: 4_000, requests: requests('') },
  page: {
    name: `personal feeds/s, the first ${FIRST_CARDS} cards compressed, as the page asks`,
    atLeast: 4_000,
    requests: requests(`&limit=${FIRST_CARDS}`, 'Accept-Encoding: gzip, deflate, br\r\n'),
  },
};

/**
 * The personal feed from memory, on one process and on two, compared with the same server that has to read all of it
 * from the database.
 */
export async function feeds({ lifecycle, pace }: PartOptions): Promise<Finding[]> {
  const database = await step('Database started', () => startBenchDatabase(lifecycle));
  await step(`${USERS.toLocaleString('en')} users with ${VOTES} votes each, ${PROJECTS} projects`, async () => {
    await fillPeople(database.client, USERS, PROJECTS);
    await fillVotes(database.client, {
      users: USERS,
      projects: PROJECTS,
      from: 0,
      to: VOTES - 1,
      onProgress: () => undefined,
    });
    await age(database.client);
  });
  const servers = {
    'one process': await startBenchServer(lifecycle, database.url),
    'two processes': await startBenchServer(lifecycle, database.url, 2),
    'asking the database': await startBenchServer(lifecycle, database.url, 1, NO_NOTIFICATIONS),
  };
  for (const { url } of Object.values(servers)) await checkFeed(url);
  const findings: Finding[] = [];
  for (const { name, atLeast, requests: load } of Object.values(WORK)) {
    const rates = await measure(servers, load, pace, name);
    const [one, two, asking] = [rates['one process'], rates['two processes'], rates['asking the database']];
    const best = median(one) > median(two) ? one : two;
    const detail = `one process ${spread(one)}, two ${spread(two)}; ${spread(asking)} where the database works them out; ${CONNECTIONS} connections`;
    findings.push({ name, value: median(best), unit: '', atLeast, detail });
  }
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  return findings;
}

/** @throws Error when the server does not return the expected feed: 50 cards of all that are left. */
async function checkFeed(url: string): Promise<void> {
  const response = await fetch(`${url}/api/projects?userId=7`, { headers: { cookie: cookieOf(7) } });
  const cards = (await response.json()) as unknown[];
  const total = response.headers.get('x-total-count');
  if (cards.length !== 50 || total !== String(PROJECTS - VOTES))
    throw new Error(`The feed holds ${cards.length} cards of ${total}, not 50 of ${PROJECTS - VOTES}.`);
}

type Rates<K extends string> = Record<K, number[]>;

/** Each server in turn, several times, because the machine's speed changes. */
async function measure<K extends string>(
  servers: Record<K, LabServer>,
  load: string[],
  { pairs, runSeconds, sweepSeconds }: PartOptions['pace'],
  name: string,
): Promise<Rates<K>> {
  const entries = Object.entries<LabServer>(servers) as Array<[K, LabServer]>;
  const rates = Object.fromEntries(entries.map(([key]) => [key, []])) as unknown as Rates<K>;
  for (const [, { url }] of entries) await readOverHttp(url, load, { connections: CONNECTIONS, seconds: sweepSeconds });
  for (let round = 1; round <= pairs; round += 1) {
    await step(`${name} ${round}/${pairs}`, async () => {
      for (const [key, { url }] of entries) {
        const result = await readOverHttp(url, load, { connections: CONNECTIONS, seconds: runSeconds });
        if (result.refused + result.broken > 0)
          throw new Error(`${result.refused + result.broken} feeds were not sent`);
        rates[key].push(result.perSecond);
      }
    });
  }
  return rates;
}
