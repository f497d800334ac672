import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 5_000;

export interface Program {
  output(): string;
  stop(): Promise<void>;
}

async function isAccepting(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  const accepted = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  socket.destroy();
  return accepted;
}

/** Runs a program until this process ends at the latest; resolves when all ports accept connections. @throws Error with its last output */
export async function startProgram(
  file: string,
  args: readonly string[],
  ports: readonly number[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>,
): Promise<Program> {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-4_000)));
  child.on('error', (error) => (output += error.message));
  const endWithUs = (): boolean => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

  async function stop(): Promise<void> {
    if (hasEnded()) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(timer);
  }

  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (const port of ports)
    while (!(await isAccepting(port))) {
      if (hasEnded() || Date.now() > deadlineMs) {
        await stop();
        throw new Error(`${file} did not start: ${output}`);
      }
      await sleep(20);
    }
  return { output: () => output, stop };
}
