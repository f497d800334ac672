import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFree } from './free-port.ts';

const PASSING_MS = 2_000;

/** Waits a moment for a free port: the server of a start that was just killed may still be finishing its requests. */
export async function becomesFree(host: string, port: number): Promise<boolean> {
  const deadline = Date.now() + PASSING_MS;
  while (!(await isFree(port, host))) {
    if (Date.now() > deadline) return false;
    await sleep(100);
  }
  return true;
}

/** Whether anything listens on the port of this machine. */
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
