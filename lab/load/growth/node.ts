import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GrpcTypes } from '@mysten/sui/grpc';
import type { Stoppable } from '#ops/process/lifecycle.ts';

function frame(flag: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt8(flag, 0);
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

const end = (status: number): Buffer => frame(0x80, Buffer.from(`grpc-status:${status}\r\n`));
const [NOT_FOUND, UNIMPLEMENTED] = [5, 12];

/** A node that implements the calls of readings, and knows no package. Every call takes this long, and every wallet holds one SUI. */
export async function startNode(callMs: number): Promise<Stoppable & { url: string }> {
  const chainId = randomBytes(32).toString('base64url');
  const { GetServiceInfoResponse, GetBalanceResponse } = GrpcTypes;
  const balance = GetBalanceResponse.toBinary({ balance: { balance: 1_000_000_000n } });
  const info = (): Uint8Array => {
    const timestamp = { seconds: BigInt(Math.floor(Date.now() / 1000)), nanos: 0 };
    return GetServiceInfoResponse.toBinary(GetServiceInfoResponse.create({ chainId, timestamp }));
  };
  const bodyOf = (path = ''): Buffer => {
    if (path.endsWith('/GetBalance')) return Buffer.concat([frame(0, balance), end(0)]);
    if (path.endsWith('/GetServiceInfo')) return Buffer.concat([frame(0, info()), end(0)]);
    if (path.endsWith('/GetPackage')) return end(NOT_FOUND);
    return end(UNIMPLEMENTED);
  };
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      const body = bodyOf(request.url);
      response.writeHead(200, { 'content-type': 'application/grpc-web-text' }).end(body.toString('base64'));
    }, callMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => void (server.closeAllConnections(), server.close()),
  };
}
