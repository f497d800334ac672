import { sql } from 'kysely';
import { openDatabase, type Database } from '#db/client.ts';
import { findRank, listTopVoters } from '#server/voting/leaderboard/queries.ts';
import { listFeed, listRanked } from '#server/listings/projects/queries.ts';
import { findStats, listVotes } from '#server/people/users/queries.ts';
import { type Finding, median } from './report.ts';

const SAMPLES = 300;

/** Reads that must not become slower as votes accumulate. */
const READS: Record<string, (database: Database, userId: number) => Promise<unknown>> = {
  feed: ({ db }, userId) => listFeed(db, userId),
  'own rank': ({ db }, userId) => findRank(db, userId),
  'own counters': ({ db }, userId) => findStats(db, userId),
  'own history': ({ db }, userId) => listVotes(db, userId, { limit: 50 }),
  'top voters': ({ db }) => listTopVoters(db),
  'project leaderboard': ({ db }) => listRanked(db),
};

export interface ReadTimes {
  /** Median of each read in milliseconds. */
  medianMs: Record<string, number>;
  /** The database's plan of one run of each. */
  plans: string[];
}

/** Times each read for random users; everything is read once before, so that a cold disk is not measured. */
export async function timeReads(databaseUrl: string, users: number): Promise<ReadTimes> {
  const database = openDatabase(databaseUrl, { maxConnections: 1 });
  try {
    const medianMs: Record<string, number> = {};
    for (const [name, read] of Object.entries(READS)) {
      const times: number[] = [];
      for (let sample = -20; sample < SAMPLES; sample += 1) {
        const userId = 1 + (((sample + 20) * 611_953) % users);
        const startedAtMs = performance.now();
        await read(database, userId);
        if (sample >= 0) times.push(performance.now() - startedAtMs);
      }
      medianMs[name] = median(times);
    }
    return { medianMs, plans: await explainAll(database) };
  } finally {
    await database.close();
  }
}

/** The plans as auto_explain reports them, shortened to the operation, its time and its number of pages. */
async function explainAll(database: Database): Promise<string[]> {
  const plans: string[] = [];
  const client = await database.pool.connect();
  let current = '';
  const onNotice = ({ message }: { message?: string | undefined }): void => {
    const total = /duration: ([\d.]+) ms/.exec(message ?? '')?.[1];
    const scans = [
      ...(message ?? '').matchAll(
        /-> +(\w[\w ]*?(?:Scan|Join|Loop|Aggregate|Limit)[\w ]*?) .*?rows=([\d.]+) loops=(\d+)/g,
      ),
    ].map(([, node, rows, loops]) => `${node} ${Number(rows)}×${loops}`);
    const pages = /Buffers: shared ([\w= ]+)/.exec(message ?? '')?.[1];
    if (total !== undefined)
      plans.push(`  ${current}: ${total} ms, ${pages ?? 'no pages'}; ${scans.slice(0, 8).join(', ')}`);
  };
  try {
    client.on('notice', onNotice);
    await client.query(
      `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on; SET auto_explain.log_buffers = on;
       SET client_min_messages = 'log'`,
    );
    client.release();
    for (const [name, read] of Object.entries(READS)) {
      current = name;
      await read(database, 4711);
    }
    current = 'reset';
    await sql`SET auto_explain.log_min_duration = -1`.execute(database.db);
  } finally {
    client.off('notice', onNotice);
  }
  return plans.filter((plan) => !plan.startsWith('  reset'));
}

/** The later times against the earlier ones. */
export function compareReads(before: ReadTimes, after: ReadTimes): Finding[] {
  return Object.keys(READS).map((name) => {
    const [early, late] = [before.medianMs[name] ?? Number.NaN, after.medianMs[name] ?? Number.NaN];
    const isGoal = name === 'feed' || name === 'own rank';
    return {
      name: `${name} with ten times the votes ÷ before`,
      value: late / early,
      unit: '×',
      ...(isGoal ? { atMost: 1.5, aim: 1.1 } : {}),
      detail: `median ${late.toFixed(2)} ÷ ${early.toFixed(2)} ms with the way to the database`,
    };
  });
}
