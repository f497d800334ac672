import { startStack } from './stack.ts';

/** Starts the product once for all journeys; where to find it travels to the workers in the environment. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const stack = await startStack();
  process.env.E2E_URL = stack.url;
  process.env.E2E_DATABASE_URL = stack.databaseUrl;
  process.env.E2E_RPC_URL = stack.rpcUrl;
  process.env.E2E_FAUCET_URL = stack.faucetUrl;
  process.env.E2E_PUSH_URL = stack.pushUrl;
  process.env.E2E_SERVER_SETTINGS = JSON.stringify(stack.settings);
  process.env.E2E_STACK_PID = String(stack.pid);
  return stack.stop;
}
