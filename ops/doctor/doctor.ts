import path from 'node:path';
import { createSuiClient } from '#chain/client.ts';
import { openDatabase } from '#db/client.ts';
import { readConfig } from '#server/kit/config.ts';
import { askAdminWallet } from './chain.ts';
import { askAll, type CheckResult, type Question } from './check.ts';
import { askDatabase, askDurability } from './database.ts';
import { askCoin } from './coin.ts';
import { askExposure } from './exposure.ts';
import { askClocks, askSettings } from './machine.ts';
import type { Door } from './request.ts';
import { askProxy, askSite, askUploads } from './site.ts';
import type { Subject } from './subject.ts';

const DATABASE = 'Correct DATABASE_URL, or start that database (`systemctl status postgresql`)';
const NODE = 'Set SUI_RPC_URL to a full node of SUI_NETWORK that responds; until then payments wait';
const SITE = 'Fix the site first, see above';

/** Everything that neither the start of a server nor /readyz nor /metrics reports, and the reserves (R84). */
const QUESTIONS: Question<Subject>[] = [
  { name: 'Settings', ask: askSettings, remedy: 'Let the doctor read .env' },
  { name: 'Database', ask: askDatabase, remedy: DATABASE },
  { name: 'Durability', needs: 'Database', ask: askDurability, remedy: DATABASE },
  { name: 'Admin wallet', ask: askAdminWallet, remedy: NODE },
  { name: 'Snaps coin', needs: 'Database', ask: askCoin, remedy: DATABASE },
  { name: 'Clock', ask: askClocks, remedy: 'Let NTP keep the clock' },
  { name: 'Site', ask: askSite, remedy: SITE },
  { name: 'Proxy', needs: 'Site', ask: askProxy, remedy: SITE },
  { name: 'Uploads', needs: 'Site', ask: askUploads, remedy: SITE },
  { name: 'Exposure', needs: 'Site', ask: askExposure, remedy: SITE },
];

interface DoctorOptions {
  env: NodeJS.ProcessEnv;
  root: string;
  door?: Omit<Door, 'origin'>;
  outside?: string[];
}

/** @throws ConfigError for settings with which no server starts */
export async function examine({ env, root, door, outside }: DoctorOptions): Promise<CheckResult[]> {
  const config = readConfig({ ...env, NODE_ENV: 'production' });
  const { db, close } = openDatabase(config.databaseDirectUrl, {
    maxConnections: 2,
    applicationName: 'snapswipe-doctor',
  });
  try {
    return await askAll(QUESTIONS, {
      config,
      db,
      sui: createSuiClient({ network: config.network, url: config.rpcUrl }),
      root,
      settingsFile: path.join(root, '.env'),
      door: { origin: config.publicOrigin, ...door },
      outside,
    });
  } finally {
    await close();
  }
}
