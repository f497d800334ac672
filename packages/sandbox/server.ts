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
  readonly rpcPort: number;
  readonly faucetPort: number;
  /** Folder of the log; without it the chain ends with the process. */
  readonly dir?: string;
  readonly indexDelayMs?: number;
  /** Listed after the administrator. */
  readonly accounts?: readonly object[];
  /** Receives errors of the sandbox itself, one line each. */
  readonly log?: (line: string) => void;
}

export interface Sandbox {
  readonly rpcUrl: string;
  readonly faucetUrl: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a sandbox chain on 127.0.0.1. Until the log is read, everything is UNAVAILABLE. Rejects when a port is taken,
 * the folder cannot be used, or the log in it is damaged; nothing is left listening then.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? (() => undefined);
  const controls: Controls = { down: false };
  const { accounts = [] } = options;
  let running: { chain: Chain; faucet: Faucet; methods: MethodTable } | null = null;
  const listeners: Listener[] = [];
  const closeAll = () => Promise.all(listeners.map((listener) => listener.close()));
  try {
    // Ports first: the log belongs to the process that listens there.
    const rpc = await listen(options.rpcPort, async (request, response) => {
      const node = controls.down ? null : running;
      if (pathOf(request) !== '/health') return handleGrpcWeb(request, response, node?.methods ?? null, log);
      return node ? sendJson(response, 200, healthOf(node.chain)) : sendJson(response, 503, { ok: false });
    });
    listeners.push(rpc);
    const faucet = await listen(options.faucetPort, async (request, response) =>
      running
        ? handleFaucet(request, response, { ...running, controls, accounts })
        : sendJson(response, 503, { ok: false }),
    );
    listeners.push(faucet);
    const chain = Chain.open(options.dir);
    chain.indexDelayMs = options.indexDelayMs ?? 0;
    running = { chain, faucet: new Faucet(chain), methods: rpcMethods(chain) };
    const close = async () => {
      await closeAll();
      chain.close();
    };
    return { rpcUrl: rpc.url, faucetUrl: faucet.url, close };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
