import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '#db/client.ts';
import { freePort } from '#ops/process/free-port.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { step } from '#ops/process/report.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { insertProject } from '../../testing/builders.ts';
import { chainAt } from '../../testing/chain.ts';
import { ADMIN_KEYPAIR } from '../../testing/wallets.ts';
import { serverSettings, WITHOUT_RATE_LIMITS } from '../../settings.ts';
import { startSandbox } from '../../stack.ts';
import { fillPeople } from '../data.ts';
import type { Finding } from '../report.ts';
import { startBenchDatabase } from '../stack.ts';
import { createPayer, stayOpen, visit, vote, type Votes } from './load.ts';
import { type Checkout, makeCheckout, serve, type Site } from './site.ts';
import { Tally } from './tally.ts';

const USERS = 4_000;
const PROJECTS = 60;
/** Concurrent clients of each kind. */
const VOTERS = 60;
const VISITORS = 4;
const TABS = 30;
const PAYERS = 2;
const BEFORE_MS = 5_000;
const AFTER_MS = 5_000;

export interface UpgradeOptions {
  workers: number;
  upgrades: number;
  from: string;
  to: string;
}

/** A site under load that is upgraded while all clients continue. */
export async function measureUpgrades(lifecycle: Lifecycle, options: UpgradeOptions): Promise<Finding[]> {
  const database = await startBenchDatabase(lifecycle);
  await fillPeople(database.client, USERS, PROJECTS);
  const sandbox = await startSandbox(lifecycle);
  const checkout = await step(`Checkout of ${options.from}`, () => makeCheckout(lifecycle, options.from));
  await step('Page built', () => checkout.build());
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ...serverSettings(database.url, sandbox),
    LOG_LEVEL: 'warn',
    PORT: String(await freePort()),
    ...WITHOUT_RATE_LIMITS,
  };
  const site = await step('Site', () => serve(lifecycle, checkout, { workers: options.workers, env }));
  const client = openDatabase(database.url, { maxConnections: 2, onError: () => undefined });
  await lifecycle.atEnd(() => client.close());
  const tally = new Tally(site.url);
  const chain = chainAt(sandbox);
  const payers = await Promise.all(
    Array.from({ length: PAYERS }, () =>
      createPayer(tally, {
        url: site.url,
        chain,
        recipient: ADMIN_KEYPAIR.toSuiAddress(),
        list: (ownerId) => insertProject(client.db, { ownerId }),
      }),
    ),
  );
  const files = await checkout.files();
  const votes: Votes = { counted: new Set() };
  const ending = new AbortController();
  const { signal } = ending;
  const load = Promise.all([
    ...Array.from({ length: VOTERS }, (_, at) =>
      vote(tally, signal, { first: at + 1, step: VOTERS, last: USERS, projects: PROJECTS, votes }),
    ),
    ...Array.from({ length: VISITORS }, () => visit(tally, signal)),
    ...Array.from({ length: TABS }, () => stayOpen(tally, signal, files)),
    ...payers.map(({ pay }) => pay(signal)),
  ]);
  await sleep(BEFORE_MS);
  await upgradeAll(checkout, site, options);
  await sleep(AFTER_MS);
  ending.abort();
  await load;

  const rows = await client.db.selectFrom('votes').select(['userId', 'projectId']).execute();
  const stored = new Set(rows.map(({ userId, projectId }) => `${userId} ${projectId}`));
  const lost = [...votes.counted].filter((key) => !stored.has(key));
  const done = await client.db.selectFrom('payments').select('id').where('state', '=', 'fulfilled').execute();
  const paid = payers.reduce((sum, payer) => sum + payer.paid(), 0);
  const kinds = [...tally.requests].map(([what, count]) => `${count} × ${what}`).join(', ');
  const failures = [...tally.failures].map(([what, count]) => `${count} × ${what}`).join(', ');
  const differences = await findDifferences(client.db);
  return [
    {
      name: 'requests failed',
      value: tally.failed,
      unit: '',
      atMost: 0,
      detail: failures || `of ${tally.total}: ${kinds}`,
    },
    { name: 'connections reset or refused', value: tally.resets, unit: '', atMost: 0, detail: '' },
    {
      name: 'votes lost',
      value: lost.length,
      unit: '',
      atMost: 0,
      detail: `of ${votes.counted.size} that were counted`,
    },
    { name: 'payments lost', value: paid - done.length, unit: '', atMost: 0, detail: `of ${paid} that were complete` },
    {
      name: 'rows that contradict each other',
      value: differences.length,
      unit: '',
      atMost: 0,
      detail: differences.join('; '),
    },
    { name: 'longest wait', value: tally.longestMs, unit: 'ms', detail: tally.longestOf },
  ];
}

async function upgradeAll(checkout: Checkout, site: Site, { upgrades, to }: UpgradeOptions): Promise<void> {
  await checkout.checkOut(to);
  for (let number = 1; number <= upgrades; number += 1) {
    await checkout.change(number);
    await step(`Upgrade ${number}: page built`, () => checkout.build());
    await step(`Upgrade ${number}: processes replaced`, () => site.upgrade());
    console.log(`  ${await site.processes()} processes, those that leave among them`);
    await sleep(AFTER_MS);
  }
}
