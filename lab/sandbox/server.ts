import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Controls } from './http/control.ts';
import { handleFaucet, healthOf } from './http/faucet-routes.ts';
import { handleGrpcWeb } from './http/grpc-web.ts';
import { listen, type Listener, pathOf, sendJson } from './http/http.ts';
import { Chain } from './ledger/chain.ts';
import { Faucet } from './ledger/faucet.ts';
import type { MethodTable } from './rpc/method.ts';
import { executionService } from './rpc/execution-service.ts';
import { historyService } from './rpc/history-service.ts';
import { ledgerService } from './rpc/ledger-service.ts';
import { nameService } from './rpc/name-service.ts';
import { packageService } from './rpc/package-service.ts';
import { signatureService } from './rpc/signature-service.ts';
import { stateService } from './rpc/state-service.ts';

/** Every method that the sandbox serves over gRPC; any other method is UNIMPLEMENTED. */
function rpcMethods(chain: Chain): MethodTable {
  return {
    ...ledgerService(chain),
    ...historyService(chain),
    ...stateService(chain),
    ...executionService(chain),
    ...nameService(chain),
    ...packageService(chain),
    ...signatureService,
  };
}

export interface SandboxOptions {
  /** 0 takes any free port. */
  readonly rpcPort: number;
  readonly faucetPort: number;
  /** Folder of the log; without it the chain ends with the process. */
  readonly dir?: string;
  readonly indexDelayMs?: number;
  /** Receives errors of the sandbox itself, one line each. */
  readonly log?: (line: string) => void;
}

export interface Sandbox {
  readonly rpcUrl: string;
  readonly faucetUrl: string;
  /** Finishes open requests and closes the log. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a sandbox chain on 127.0.0.1: gRPC-web on one port, the faucet on another. Rejects when a port is taken, the
 * folder cannot be used, or the log in it is damaged; nothing is left listening then.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? (() => undefined);
  const node = new Node(log);
  const listeners: Listener[] = [];
  try {
    // Ports first: the log belongs to the process that listens there.
    const rpc = await listen(options.rpcPort, (request, response) => node.handleRpc(request, response));
    listeners.push(rpc);
    const faucet = await listen(options.faucetPort, (request, response) => node.handleFaucet(request, response));
    listeners.push(faucet);
    const chain = Chain.open(options.dir);
    chain.indexDelayMs = options.indexDelayMs ?? 0;
    node.serve(chain);
    const close = async () => {
      await closeAll(listeners);
      chain.close();
    };
    return { rpcUrl: rpc.url, faucetUrl: faucet.url, close };
  } catch (error) {
    await closeAll(listeners);
    throw error;
  }
}

async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}

/** State shared by the two ports. Until the log is read, everything is UNAVAILABLE. */
class Node {
  readonly #controls: Controls = { down: false };
  readonly #log: (line: string) => void;
  #running: { chain: Chain; faucet: Faucet; methods: MethodTable } | null = null;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  serve(chain: Chain): void {
    this.#running = { chain, faucet: new Faucet(chain), methods: rpcMethods(chain) };
  }

  async handleRpc(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const running = this.#controls.down ? null : this.#running;
    if (pathOf(request) === '/health')
      return running ? sendJson(response, 200, healthOf(running.chain)) : sendJson(response, 503, { ok: false });
    return handleGrpcWeb(request, response, running?.methods ?? null, this.#log);
  }

  async handleFaucet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#running) return sendJson(response, 503, { ok: false });
    return handleFaucet(request, response, { ...this.#running, controls: this.#controls });
  }
}
