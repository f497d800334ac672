import path from 'node:path';
import { run } from '../process/programs.ts';
import { AlreadyReported, messageOf, ROOT, seconds } from '../process/report.ts';
import type { Workers } from './workers.ts';

const PREPARE = path.join(ROOT, 'dev/stack/prepare-upgrade.ts');

export interface UpgradeOptions {
  workers: Workers;
  count: number;
  /** The settings as they are at that moment. */
  readEnv: () => NodeJS.ProcessEnv;
}

/**
 * Makes the function that upgrades what `npm run serve` runs to the code, the page and the settings of now. Says what comes of it, and
 * never throws. A call during an upgrade asks for another one afterwards.
 */
export function createUpgrade(options: UpgradeOptions): () => void {
  let isRunning = false;
  let isWanted = false;
  const upgradeAll = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await upgrade(options);
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void upgradeAll();
  };
}

async function upgrade({ workers, count, readEnv }: UpgradeOptions): Promise<void> {
  const startedAtMs = performance.now();
  console.log('Upgrading …');
  try {
    const env = readEnv();
    const args = [...process.execArgv, PREPARE, '--workers', String(count)];
    const { code } = await run(process.execPath, args, { env, show: true });
    if (code !== 0) throw new AlreadyReported();
    await workers.replace(env);
    console.log(`✓ Upgraded  ${seconds(startedAtMs)}; the processes before finish what they have`);
  } catch (error) {
    const reason = error instanceof AlreadyReported ? '' : ` (${messageOf(error)})`;
    console.error(`✗ Not upgraded${reason}: what ran before goes on serving.`);
  }
}
