/**
 * The sandbox chain as a separate process. It speaks the full node's gRPC-web API with real BCS, digests and signatures,
 * so the same code runs against the sandbox, a local network and a public one. Rejected: a mock inside the product, which
 * would prove none of that, and the `sui` binary, which a fresh machine does not have. Limits: README.md.
 */
import process from 'node:process';
import { IndexDelay } from './http/control.ts';
import { type SandboxOptions, startSandbox } from './server.ts';

function readPort(name: string, fallback: number): number {
  const value = process.env[name];
  const port = value === undefined || value === '' ? fallback : Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name} must be a port, not "${value}"`);
  return port;
}

function readOptions(): SandboxOptions {
  const indexDelay = IndexDelay.safeParse(Number(process.env['SANDBOX_INDEX_DELAY_MS'] ?? 0));
  if (!indexDelay.success) throw new Error('SANDBOX_INDEX_DELAY_MS must be a whole number of milliseconds');
  return {
    rpcPort: readPort('SANDBOX_PORT', 9000),
    faucetPort: readPort('SANDBOX_FAUCET_PORT', 9123),
    dir: process.env['SANDBOX_DIR'] ?? './data/sandbox',
    indexDelayMs: indexDelay.data,
    accounts: JSON.parse(process.env['SANDBOX_ACCOUNTS'] ?? '[]') as object[],
    log: (line) => process.stderr.write(`sandbox chain: ${line}\n`),
  };
}

const UNUSABLE_FOLDER = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT']);

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `${message.replace('listen EADDRINUSE: ', '')}; stop what listens there, or set SANDBOX_PORT and SANDBOX_FAUCET_PORT`;
  if (typeof code === 'string' && UNUSABLE_FOLDER.has(code))
    return `${message}; set SANDBOX_DIR to a folder that can be written`;
  return message;
}

async function main(): Promise<void> {
  const sandbox = await startSandbox(readOptions());
  const { rpcUrl, faucetUrl } = sandbox;
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  process.stdout.write(`sandbox chain ready ${rpcUrl} ${faucetUrl}\n`);
  process.send?.({ ready: true, rpcUrl, faucetUrl });
}

main().catch((error: unknown) => {
  process.stderr.write(`sandbox chain: ${explain(error)}\n`);
  process.exit(1);
});
