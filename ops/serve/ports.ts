import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#server/kit/config.ts';
import { isFree, listenProblem } from '../process/free-port.ts';

const PASSING_MS = 2_000;

/** Waits briefly for a free port: the server of a start that was just killed may still be finishing its requests. */
async function becomesFree(host: string, port: number): Promise<boolean> {
  const deadline = performance.now() + PASSING_MS;
  while (!(await isFree(port, host))) {
    if (performance.now() > deadline) return false;
    await sleep(100);
  }
  return true;
}

async function checkPort(setting: 'PORT' | 'METRICS_PORT', host: string, port: number): Promise<void> {
  if (port === 0 || (await becomesFree(host, port))) return;
  throw new Error(
    `Port ${port} is in use (or not allowed): end the program that uses it, or set ${setting} to another one, such as ${port + 1}.`,
  );
}

async function checkHost(setting: 'HOST' | 'METRICS_HOST', host: string): Promise<void> {
  const problem = await listenProblem(0, host);
  if (problem !== null)
    throw new Error(`${setting}: this machine cannot listen on ${host} (${problem}); see .env.example`);
}

type Listens = Pick<Config, 'host' | 'port' | 'metricsHost' | 'metricsPort'>;

/**
 * Checks that no other program has the ports that the server will listen on. Servers share the port of the metrics, so
 * a second site would not notice the first one there. `otherHosts` must be free as well.
 * @throws Error with one line that names the setting
 */
export async function checkPorts(
  { host, port, metricsHost, metricsPort }: Listens,
  otherHosts: string[] = [],
): Promise<void> {
  await checkHost('HOST', host);
  for (const each of [host, ...otherHosts]) await checkPort('PORT', each, port);
  await checkMetricsPort({ metricsHost, metricsPort });
}

export async function checkMetricsPort({
  metricsHost,
  metricsPort,
}: Pick<Listens, 'metricsHost' | 'metricsPort'>): Promise<void> {
  if (metricsPort === null) return;
  await checkHost('METRICS_HOST', metricsHost);
  await checkPort('METRICS_PORT', metricsHost, metricsPort);
}

export async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
