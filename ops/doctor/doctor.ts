import os from 'node:os';
import path from 'node:path';
import { createSuiClient } from '#chain/client.ts';
import { openDatabase } from '#db/client.ts';
import { type Config, ConfigError, readConfig } from '#server/kit/config.ts';
import type { Door } from './ask-site.ts';
import { checkAdminWallet, checkAnchors, checkChain, checkCoin, checkPayoutKey, readChainClock } from './chain.ts';
import { type Check, type CheckResult, failure, runCheck, runChecks } from './check.ts';
import {
  checkConsole,
  checkDatabase,
  checkDurability,
  checkReplica,
  checkSchema,
  primaryOf,
  readDataFolder,
  readDatabaseClock,
} from './database.ts';
import { checkListening } from './listening.ts';
import { checkClocks, checkNode, checkSettingsFile, checkSpace, readNtp, readSpaces } from './machine.ts';
import { checkAccountKey, checkNames, checkOperator } from './operator.ts';
import { checkPooler, poolModeOf } from './pooler.ts';
import { checkMetricsHidden, checkProxy, checkSite, checkUploads } from './site.ts';
import { checkArchive, checkBackups, checkJobs, checkReadings, checkRecord, checkVacuum } from './upkeep.ts';

export interface DoctorOptions {
  env: NodeJS.ProcessEnv;
  root: string;
  processes?: number;
  door?: Omit<Door, 'origin'>;
  outside?: string[];
}

const DATABASE_REMEDY = 'Correct DATABASE_URL, or start that database (`systemctl status postgresql`)';
const NODE_REMEDY = 'Set SUI_RPC_URL to a full node that responds';
const SITE_REMEDY = 'Fix the site first, see above';

function readSettings({ env, root }: DoctorOptions): { config: Config | null; check: Check } {
  const name = 'Settings';
  const file = path.join(root, '.env');
  const remedy = `Correct that line of ${file}`;
  try {
    const config = readConfig({ ...env, NODE_ENV: 'production' });
    const run = async () => (await checkSettingsFile(file)) ?? 'valid';
    return { config, check: { name, run, remedy } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: null, check: { name, run: () => Promise.reject(failure(error.message, remedy)), remedy } };
  }
}

const node: Check = { name: 'Node', run: async () => checkNode(), remedy: 'Install Node 24' };

const all = (checks: Check[]) => async () => Promise.all(checks.map(runCheck));

async function runUpkeep(config: Config): Promise<(CheckResult | null)[]> {
  const { db, close } = openDatabase(config.databaseDirectUrl, {
    maxConnections: 2,
    isPooled: (await poolModeOf(primaryOf(config))) !== 'none',
    applicationName: 'snapswipe-doctor',
  });
  const remedy = DATABASE_REMEDY;
  try {
    return await Promise.all([
      runCheck({ name: 'Public record', run: () => checkRecord(db, config), remedy }),
      runCheck({ name: 'Readings of balances', run: () => checkReadings(db, config), remedy }),
      runCheck({ name: 'Jobs', run: () => checkJobs(db), remedy }),
      runCheck({ name: 'Vacuum', run: () => checkVacuum(db), remedy }),
      runCheck({ name: 'Backups', run: () => checkBackups(db), remedy }),
      runCheck({ name: 'Log archive', run: () => checkArchive(db), remedy }),
    ]);
  } finally {
    await close();
  }
}

function runDatabase(config: Config, { processes = 1 }: DoctorOptions): Promise<(CheckResult | null)[]> {
  const remedy = DATABASE_REMEDY;
  const replica = 'Correct DATABASE_REPLICA_URL, or start the replica; until then everything is read from the primary';
  const others = all([
    { name: 'Durability', run: () => checkDurability(config), remedy },
    { name: 'SQL console', run: () => checkConsole(config), remedy },
    { name: 'Pooler', run: () => checkPooler(config), remedy },
    { name: 'Replica', run: () => checkReplica(config), remedy: replica },
  ]);
  const schema = { name: 'Schema', run: () => checkSchema(config), remedy };
  return runChecks({ name: 'Database', run: () => checkDatabase(config, processes), remedy }, [
    others,
    () => runChecks(schema, [() => runUpkeep(config)]),
  ]);
}

function runChain(config: Config): Promise<(CheckResult | null)[]> {
  const sui = createSuiClient({ network: config.network, url: config.rpcUrl });
  const remedy = NODE_REMEDY;
  return runChecks({ name: 'Chain', run: () => checkChain(sui, config), remedy }, [
    all([
      { name: 'Admin wallet', run: () => checkAdminWallet(sui, config), remedy },
      { name: 'Coin', run: () => checkCoin(sui, config), remedy },
      { name: 'Payout key', run: () => checkPayoutKey(sui, config), remedy },
      { name: 'Anchors', run: () => checkAnchors(sui, config), remedy },
    ]),
  ]);
}

async function checkClock(config: Config): Promise<string> {
  const sui = createSuiClient({ network: config.network, url: config.rpcUrl });
  const [aheadMs, chain, ntp] = await Promise.all([
    readDatabaseClock(config).catch(() => null),
    readChainClock(sui).catch(() => null),
    readNtp(),
  ]);
  const database = aheadMs === null ? [] : [{ name: 'the database', aheadMs, mayLag: false }];
  return checkClocks([...database, ...(chain ? [chain] : [])], ntp);
}

function machineChecks(config: Config, { root }: DoctorOptions): Check[] {
  const readAll = async () => {
    const data = await readDataFolder(config).catch(() => null);
    return checkSpace(await readSpaces([root, os.tmpdir(), ...(data === null ? [] : [data])]));
  };
  return [
    { name: 'Clock', run: () => checkClock(config), remedy: 'Let NTP keep the clock' },
    { name: 'Disk', run: readAll, remedy: 'See `df -h`' },
  ];
}

function runSite(config: Config, { door: given }: DoctorOptions): Promise<(CheckResult | null)[]> {
  const door = { origin: config.publicOrigin, ...given };
  const remedy = SITE_REMEDY;
  return runChecks({ name: 'Site', run: () => checkSite(door), remedy }, [
    all([
      { name: 'Proxy', run: () => checkProxy(config, door), remedy },
      { name: 'Uploads', run: () => checkUploads(door), remedy },
      { name: 'Metrics', run: () => checkMetricsHidden(config, door), remedy },
    ]),
  ]);
}

const operatorChecks = (config: Config, { outside }: DoctorOptions): Check[] => [
  { name: 'Listening', run: () => checkListening(config, outside), remedy: SITE_REMEDY },
  { name: 'Operator', run: () => checkOperator(config), remedy: 'Set OPERATOR' },
  { name: 'Account key', run: () => checkAccountKey(config), remedy: 'Set ACCOUNT_KEY' },
];

export async function examine(options: DoctorOptions): Promise<CheckResult[]> {
  const { config, check } = readSettings(options);
  const file = path.join(options.root, '.env');
  const names = { name: 'Setting names', run: () => checkNames(file, options.env), remedy: `See to ${file}` };
  const first = all([node, check, names]);
  if (config === null) return keep(await first());
  const parts = await Promise.all([
    first(),
    runDatabase(config, options),
    runChain(config),
    all(machineChecks(config, options))(),
    runSite(config, options),
    all(operatorChecks(config, options))(),
  ]);
  return keep(parts.flat());
}

const keep = (results: (CheckResult | null)[]): CheckResult[] => results.filter((result) => result !== null);
