import { randomInt } from 'node:crypto';
import net from 'node:net';

/** Systems choose ports above these by themselves, also for outgoing connections: one that is given back there may be taken at once. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;

/** A loopback port that is free, and that only a program which asks for it by number takes until it is listened on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
}

/** Whether a program could listen on the loopback port. */
export async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
