import net from 'node:net';

export async function isAccepting(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  const accepted = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  socket.destroy();
  return accepted;
}
