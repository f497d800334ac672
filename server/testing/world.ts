import { type ChildProcess, fork } from 'node:child_process';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { GrpcTypes } from '@mysten/sui/grpc';
import { sql } from 'kysely';
import { type Database, openDatabase } from '#db/client.ts';
import { createTestDatabase, type TestDatabase } from './app.ts';
import { fundedWallet, readyMessage, type TestChain } from './chain.ts';
import { Client, newUser, type TestUser } from './client.ts';
import { newWallet } from './wallets.ts';

export interface ChainProxy {
  url: string;
  /** Where executions stop: before the chain hears of them, or before the server hears of the outcome. */
  hold: 'nothing' | 'request' | 'answer';
  /** Everything is answered this much later. */
  delayMs: number;
  /** Responses to executions come without their balance changes, as of a node whose index is late. */
  hidesChanges: boolean;
  held: number;
  close(): void;
}

const FRAME_HEADER_BYTES = 5;

/** A gRPC-web response to an execution without its balance changes; anything else as it is. */
function withoutChanges(body: Buffer, contentType = ''): Buffer {
  if (contentType.includes('-text'))
    return Buffer.from(withoutChanges(Buffer.from(body.toString('ascii'), 'base64')).toString('base64'));
  if (body.length < FRAME_HEADER_BYTES || body[0] !== 0) return body;
  const end = FRAME_HEADER_BYTES + body.readUInt32BE(1);
  const message = GrpcTypes.ExecuteTransactionResponse.fromBinary(body.subarray(FRAME_HEADER_BYTES, end));
  if (message.transaction) message.transaction.balanceChanges = [];
  const bytes = GrpcTypes.ExecuteTransactionResponse.toBinary(message);
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([header, bytes, body.subarray(end)]);
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Stands between server and chain, so that a test can stop the world between two steps. */
export async function startProxy(target: string): Promise<ChainProxy> {
  const listener = createServer((incoming, outgoing) => {
    const isExecution = incoming.url?.endsWith('/ExecuteTransaction') ?? false;
    const holds = (at: ChainProxy['hold']) => isExecution && state.hold === at;
    if (holds('request')) {
      state.held += 1;
      return;
    }
    const onward = forward(
      target + (incoming.url ?? ''),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        if (holds('answer')) {
          state.held += 1;
          answer.resume();
          return;
        }
        if (isExecution && state.hidesChanges) {
          const { 'content-length': _, ...headers } = answer.headers;
          void readAll(answer).then((body) =>
            outgoing.writeHead(answer.statusCode ?? 500, headers).end(withoutChanges(body, headers['content-type'])),
          );
          return;
        }
        setTimeout(() => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        }, state.delayMs);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const state: ChainProxy = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    hold: 'nothing',
    delayMs: 0,
    hidesChanges: false,
    held: 0,
    close: () => (listener.closeAllConnections(), listener.close()),
  };
  return state;
}

/** The server as a process of its own, the way it runs in life. */
export interface RunningServer {
  url: string;
  child: ChildProcess;
}

/** Everything that a story of kills and outages may break, of its own. */
export class World<Chain extends TestChain = TestChain> {
  readonly chain: Chain;
  readonly proxy: ChainProxy;
  readonly database: Database;
  /** Who is paid: a wallet of this world's own, so that its balance tells of nothing else. */
  admin = newWallet().toSuiAddress();
  private readonly created: TestDatabase;
  private server: RunningServer | null = null;

  private constructor(chain: Chain, proxy: ChainProxy, created: TestDatabase) {
    this.chain = chain;
    this.proxy = proxy;
    this.created = created;
    this.database = openDatabase(created.url, { maxConnections: 4 });
  }

  static async begin<Chain extends TestChain>(chain: Chain): Promise<World<Chain>> {
    const proxy = await startProxy(chain.rpcUrl);
    const world = new World(chain, proxy, await createTestDatabase());
    await world.start();
    return world;
  }

  async end(): Promise<void> {
    await this.kill();
    await this.database.close();
    await this.created.drop();
    this.proxy.close();
  }

  private async start(): Promise<void> {
    const child = fork(path.resolve('server/main.ts'), {
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'development',
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'error',
        DATABASE_URL: this.created.url,
        SUI_NETWORK: 'localnet',
        SUI_RPC_URL: this.proxy.url,
        SUI_FAUCET_URL: this.chain.faucetUrl,
        ADMIN_WALLET: this.admin,
        ADMIN_PASSWORD: 'correct horse battery staple',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { url } = await readyMessage<{ url: string }>(child);
    this.server = { url, child };
  }

  get url(): string {
    if (!this.server) throw new Error('no server');
    return this.server.url;
  }

  /** SIGKILL: nothing is finished, nothing is said. */
  async kill(): Promise<void> {
    const child = this.server?.child;
    this.server = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /**
   * Starts the server again, with another admin wallet where one is given, so much later that its jobs are due and nothing
   * stands between it and the chain.
   */
  async restart(admin = this.admin): Promise<void> {
    this.admin = admin;
    this.proxy.hold = 'nothing';
    await this.database.db.deleteFrom('jobRuns').execute();
    await this.database.db
      .updateTable('payments')
      .set({ nextTryAt: sql`now()` })
      .execute();
    await this.start();
  }

  newPayer = async (): Promise<TestUser> => newUser(this, await fundedWallet(this.chain));

  /** The same browser at a server that was started again. */
  back = ({ cookie, id, address, wallet }: TestUser): TestUser =>
    Object.assign(new Client(this.url), { cookie, id, address, wallet });
}
