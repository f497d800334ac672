import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { checkPorts } from './ports.ts';

const LISTENS = { host: '127.0.0.1', port: 0, metricsHost: '127.0.0.1', metricsPort: null };
let others: net.Server[] = [];
afterEach(async () => {
  await Promise.all(others.map((other) => new Promise((resolve) => other.close(resolve))));
  others = [];
});

/** Another program on a port, sharing it with all that do the same. */
async function takePort(host = '127.0.0.1'): Promise<number> {
  const other = net.createServer();
  others.push(other);
  await new Promise<void>((resolve) => other.listen({ host, port: 0, reusePort: true }, resolve));
  return (other.address() as AddressInfo).port;
}

test('accepts ports on which nothing listens', async () => {
  await expect(checkPorts(LISTENS, ['127.0.0.1', '::1'])).resolves.toBeUndefined();
});

test('names PORT when another program listens, even on another name of this machine', async () => {
  const port = await takePort();
  const line = new RegExp(`^Port ${port} is in use .*set PORT to another one`);
  await expect(checkPorts({ ...LISTENS, port })).rejects.toThrow(line);
  await expect(checkPorts({ ...LISTENS, host: '127.0.0.2', port }, ['127.0.0.1'])).rejects.toThrow(line);
});

test('names METRICS_PORT when another site already listens on it', async () => {
  const metricsPort = await takePort();
  await expect(checkPorts({ ...LISTENS, metricsPort })).rejects.toThrow(/METRICS_PORT to another one/);
});

test('names the setting whose address this machine does not have', async () => {
  await expect(checkPorts({ ...LISTENS, host: '192.0.2.1' })).rejects.toThrow(
    /^HOST: .*192\.0\.2\.1 \(EADDRNOTAVAIL\)/,
  );
  await expect(checkPorts({ ...LISTENS, metricsHost: '192.0.2.1', metricsPort: 9_464 })).rejects.toThrow(
    /^METRICS_HOST: /,
  );
});
