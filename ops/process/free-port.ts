import { randomInt } from 'node:crypto';
import net from 'node:net';

/**
 * Systems assign ports above these automatically, even for outgoing connections: a port that is released there may be
 * taken immediately.
 */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;

/** A free loopback port that no program gets unless it asks for it by number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
}

export async function listenProblem(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

/**
 * False when another program listens there, or when the port needs rights that this user lacks.
 */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const problem = await listenProblem(port, host);
  return problem !== 'EADDRINUSE' && problem !== 'EACCES';
}
