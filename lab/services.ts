import { type Composed, composeServices } from '#server/compose.ts';
import { readConfig } from '#server/kit/config.ts';
import { createLog } from '#server/kit/http/log.ts';
import { NO_CHAIN, serverSettings } from './settings.ts';

/** A statement on a crowd may take long on a busy machine. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** A server's services in this process, without its jobs and its log. Votes are final at once. */
export function openServices(databaseUrl: string, chain = NO_CHAIN, env: NodeJS.ProcessEnv = {}): Promise<Composed> {
  const config = readConfig({ ...serverSettings(databaseUrl, chain), ...env });
  return composeServices(config, {
    log: createLog(config, { write: () => undefined }),
    undoWindowMs: 0,
    maxConnections: 4,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    notesIntervalMs: 0,
  });
}
