// The minimal server with which the polled reads are compared.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = 'hello world';
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ ready: true, url: `http://127.0.0.1:${port}` });
});
for (const event of ['disconnect', 'SIGTERM']) process.on(event, () => process.exit(0));
