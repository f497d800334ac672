import { once } from 'node:events';
import net from 'node:net';

/** A loopback port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether anything accepts connections on the loopback port. */
export async function isAccepting(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  const accepted = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  socket.destroy();
  return accepted;
}
