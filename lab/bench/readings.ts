import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GrpcTypes } from '@mysten/sui/grpc';
import { step } from '#ops/process/report.ts';
import { fillPeople } from './data.ts';
import type { Finding } from './report.ts';
import { startBenchDatabase, startBenchServer } from './stack.ts';
import type { PartOptions } from './suite.ts';

const CALL_MS = 100;
const WALLETS = 1_000_000;

/** A part of a gRPC-web response: a message, or the status at its end. */
function frame(flag: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt8(flag, 0);
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

/** A node on which every call takes this long and every wallet holds one SUI. */
async function startNode(callMs: number): Promise<{ url: string; stop: () => Promise<void> }> {
  const chainId = randomBytes(32).toString('base64url');
  const { GetServiceInfoResponse, GetBalanceResponse } = GrpcTypes;
  const balance = GetBalanceResponse.toBinary({ balance: { balance: 1_000_000_000n } });
  const info = (): Uint8Array => {
    const timestamp = { seconds: BigInt(Math.floor(Date.now() / 1000)), nanos: 0 };
    return GetServiceInfoResponse.toBinary(GetServiceInfoResponse.create({ chainId, timestamp }));
  };
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      const message = request.url?.endsWith('/GetBalance') ? balance : info();
      const body = Buffer.concat([frame(0, message), frame(0x80, Buffer.from('grpc-status:0\r\n'))]);
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

/** The first reading of a site of a million wallets, as far as it comes in the given time. */
export async function readings({ lifecycle, pace, quick }: PartOptions): Promise<Finding[]> {
  const wallets = quick ? WALLETS / 10 : WALLETS;
  const database = await step('Database started', () => startBenchDatabase(lifecycle));
  const { client } = database;
  await step(`${wallets.toLocaleString('en')} wallets with votes`, async () => {
    await fillPeople(client, wallets, 1);
    await client.query(`UPDATE user_stats SET last_day = (now() AT TIME ZONE 'UTC')::date`);
    await client.query('VACUUM ANALYZE user_stats');
  });
  const node = await lifecycle.own(startNode(CALL_MS));
  await client.query(`INSERT INTO standing_readings (day, reading, starts_at)
    SELECT (now() AT TIME ZONE 'UTC')::date, r, now() + (r - 1) * interval '1 hour' FROM generate_series(1, 2) r`);

  await client.query(`DELETE FROM job_runs WHERE name = 'read-standing'`);
  const server = await startBenchServer(lifecycle, database.url, 1, { SUI_RPC_URL: node.url });
  const read = async (): Promise<number> => {
    const { rows } = await client.query<{ read: number }>(
      'SELECT sum(wallets_read)::int AS read FROM standing_readings',
    );
    return rows[0]?.read ?? 0;
  };
  /** Results are stored once a round, so that only whole rounds are measured. */
  const endOfRound = async (): Promise<{ read: number; atMs: number }> => {
    const before = await read();
    while ((await read()) === before) await sleep(20);
    return { read: await read(), atMs: performance.now() };
  };
  await step('The reading has begun', endOfRound);
  // The quick run has fewer wallets, and the pace of a million.
  await client.query('UPDATE standing_readings SET wallets = $1 WHERE reading = 1', [WALLETS]);
  const from = await endOfRound();
  const seconds = pace.runSeconds * 5;
  await step(`Balances read for ${seconds} s`, () => sleep(seconds * 1000));
  const to = await endOfRound();
  const count = to.read - from.read;
  const perSecond = (count * 1000) / (to.atMs - from.atMs);
  await server.stop();
  return [
    {
      name: `balances read per second, ${CALL_MS} ms a call`,
      value: perSecond,
      unit: '',
      atLeast: 200,
      detail: `${count.toLocaleString('en')} balances of ${wallets.toLocaleString('en')} wallets; both readings of a million take ${((2 * WALLETS) / perSecond / 3600).toFixed(1)} h`,
    },
  ];
}
