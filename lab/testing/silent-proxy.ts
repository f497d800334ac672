import net from 'node:net';

export async function startSilentProxy(url: string) {
  const target = new URL(url);
  const sockets = new Set<net.Socket>();
  let opened = 0;
  const server = net.createServer((near) => {
    opened += 1;
    const far = net.connect(Number(target.port), target.hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    through(databaseUrl: string) {
      const there = new URL(databaseUrl);
      there.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
      return there.href;
    },
    opened: () => opened,
    silence() {
      for (const socket of sockets) socket.unpipe();
      // Reads and drops data, as if the machine were gone.
      for (const socket of sockets) socket.resume();
    },
    async end() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
