import os from 'node:os';
import path from 'node:path';
import { createSuiClient } from '#chain/client.ts';
import { openDatabase } from '#db/client.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import type { Door } from './ask-site.ts';
import { checkAdminWallet, checkChain, checkCoin, checkRecord, readChainClock } from './chain.ts';
import { type Check, type CheckResult, failure, runCheck } from './check.ts';
import {
  checkConsole,
  checkDatabase,
  checkDurability,
  checkReplica,
  checkSchema,
  readDataFolder,
  readDatabaseClock,
} from './database.ts';
import { checkClocks, checkNode, checkSettingsFile, checkSpace, readNtp, readSpaces } from './machine.ts';
import { checkPooler } from './pooler.ts';
import { checkMetricsHidden, checkProxy, checkSite, checkUploads } from './site.ts';
import { checkBackups, checkJobs } from './upkeep.ts';

export interface DoctorOptions {
  env: NodeJS.ProcessEnv;
  /** Folder of the settings file and of the code. */
  root: string;
  /** How many server processes are meant to run. */
  processes?: number;
  /** Asks this address instead of the one that the site's name leads to. */
  door?: Omit<Door, 'origin'>;
}

const DATABASE_REMEDY = 'Correct DATABASE_URL, or start that database (`systemctl status postgresql`)';
const NODE_REMEDY = 'Set SUI_RPC_URL to a full node that responds';
const SITE_REMEDY = 'First see to what is wrong with the site above';

function readSettings({ env, root }: DoctorOptions): { config: Config | null; check: Check } {
  const name = 'Settings';
  const remedy = `Correct that line of ${path.join(root, '.env')}`;
  try {
    const config = readConfig({ ...env, NODE_ENV: 'production' });
    const run = async () => (await checkSettingsFile(path.join(root, '.env'))) ?? 'valid';
    return { config, check: { name, run, remedy } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: null, check: { name, run: () => Promise.reject(failure(error.message, remedy)), remedy } };
  }
}

const node: Check = { name: 'Node', run: async () => checkNode(), remedy: 'Install Node 24' };

function databaseChecks(config: Config, { processes = 1 }: DoctorOptions): Check[] {
  const replica = 'Correct DATABASE_REPLICA_URL, or start the replica; meanwhile everything is read from the primary';
  return [
    { name: 'Database', run: () => checkDatabase(config, processes), remedy: DATABASE_REMEDY },
    { name: 'Durability', run: () => checkDurability(config), remedy: DATABASE_REMEDY },
    { name: 'Schema', run: () => checkSchema(config), remedy: DATABASE_REMEDY },
    { name: 'SQL console', run: () => checkConsole(config), remedy: 'Correct CONSOLE_DATABASE_URL' },
    { name: 'Pooler', run: () => checkPooler(config), remedy: DATABASE_REMEDY },
    { name: 'Replica', run: () => checkReplica(config), remedy: replica },
  ];
}

function chainChecks(config: Config): Check[] {
  const sui = createSuiClient({ network: config.network, url: config.rpcUrl });
  const chain = { name: 'Chain', run: () => checkChain(sui, config), remedy: NODE_REMEDY };
  const wallet = { name: 'Admin wallet', run: () => checkAdminWallet(sui, config), remedy: NODE_REMEDY };
  const coin = { name: 'Coin', run: () => checkCoin(sui, config), remedy: NODE_REMEDY };
  const record = { name: 'Public record', run: () => checkRecord(sui, config), remedy: NODE_REMEDY };
  return [chain, wallet, coin, record];
}

/** Those that cannot be asked are reported elsewhere. */
async function checkClock(config: Config): Promise<string> {
  const sui = createSuiClient({ network: config.network, url: config.rpcUrl });
  const [aheadMs, chain, ntp] = await Promise.all([
    readDatabaseClock(config.databaseDirectUrl).catch(() => null),
    readChainClock(sui).catch(() => null),
    readNtp(),
  ]);
  const database = aheadMs === null ? [] : [{ name: 'the database', aheadMs, mayLag: false }];
  return checkClocks([...database, ...(chain ? [chain] : [])], ntp);
}

function machineChecks(config: Config, { root }: DoctorOptions): Check[] {
  const readAll = async () => {
    const data = await readDataFolder(config.databaseDirectUrl);
    return checkSpace(await readSpaces([root, os.tmpdir(), ...(data === null ? [] : [data])]));
  };
  return [
    { name: 'Clock', run: () => checkClock(config), remedy: 'Let NTP keep the clock' },
    { name: 'Disk', run: readAll, remedy: 'See `df -h`' },
  ];
}

function siteChecks(config: Config, given: DoctorOptions['door']): Check[] {
  const door = { origin: config.publicOrigin, ...given };
  return [
    { name: 'Site', run: () => checkSite(door), remedy: SITE_REMEDY },
    { name: 'Proxy', run: () => checkProxy(config, door), remedy: SITE_REMEDY },
    { name: 'Uploads', run: () => checkUploads(door), remedy: SITE_REMEDY },
    { name: 'Metrics', run: () => checkMetricsHidden(config, door), remedy: SITE_REMEDY },
  ];
}

async function runUpkeep(config: Config): Promise<(CheckResult | null)[]> {
  const database = openDatabase(config.databaseDirectUrl, { maxConnections: 2, applicationName: 'snapswipe-doctor' });
  try {
    return await Promise.all([
      runCheck({ name: 'Jobs', run: () => checkJobs(database.db), remedy: DATABASE_REMEDY }),
      runCheck({ name: 'Backups', run: () => checkBackups(database.db), remedy: DATABASE_REMEDY }),
    ]);
  } finally {
    await database.close();
  }
}

/** Looks at everything that an installation needs. Changes nothing. */
export async function examine(options: DoctorOptions): Promise<CheckResult[]> {
  const { config, check } = readSettings(options);
  const first = [node, check];
  const results = async (checks: Check[]) => Promise.all(checks.map(runCheck));
  // Without settings there is nothing else to look at.
  if (config === null) return keep(await results(first));
  const groups = [databaseChecks(config, options), chainChecks(config), machineChecks(config, options)];
  const parts = await Promise.all([
    results(first),
    ...groups.map(results),
    results(siteChecks(config, options.door)),
    runUpkeep(config),
  ]);
  return keep(parts.flat());
}

const keep = (results: (CheckResult | null)[]): CheckResult[] => results.filter((result) => result !== null);
