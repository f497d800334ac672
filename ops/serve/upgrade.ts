import path from 'node:path';
import { type Config, readConfig } from '#server/kit/config.ts';
import { run } from '../process/programs.ts';
import { AlreadyReported, messageOf, ROOT, seconds } from '../process/report.ts';
import { checkMetricsPort } from './ports.ts';
import type { Workers } from './workers.ts';

const PREPARE = path.join(ROOT, 'ops/serve/prepare-upgrade.ts');

interface UpgradeOptions {
  workers: Workers;
  count: number;
  config: Config;
  readEnv: () => NodeJS.ProcessEnv;
}

/** A call during an upgrade requests another one afterwards. Never throws. */
export function createUpgrade(options: UpgradeOptions): () => void {
  let isRunning = false;
  let isWanted = false;
  let { config } = options;
  const upgradeAll = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      config = await upgrade({ ...options, config });
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void upgradeAll();
  };
}

async function upgrade({ workers, count, config, readEnv }: UpgradeOptions): Promise<Config> {
  const startedAtMs = performance.now();
  console.log('Upgrading …');
  try {
    const env = readEnv();
    const args = [...process.execArgv, PREPARE, '--workers', String(count)];
    const { code } = await run(process.execPath, args, { env, show: true });
    if (code !== 0) throw new AlreadyReported();
    const { host, port, ...next } = readConfig(env);
    if (next.metricsPort !== config.metricsPort || next.metricsHost !== config.metricsHost)
      await checkMetricsPort(next);
    await workers.replace(env);
    console.log(`✓ Upgraded  ${seconds(startedAtMs)}; the processes before finish what they have`);
    if (host !== config.host || port !== config.port)
      console.log(`! HOST and PORT change with a restart: the site still listens on ${config.host}:${config.port}.`);
    return { ...next, host: config.host, port: config.port };
  } catch (error) {
    const reason = error instanceof AlreadyReported ? '' : ` (${messageOf(error)})`;
    console.error(`✗ Not upgraded${reason}: what ran before goes on serving.`);
    return config;
  }
}
