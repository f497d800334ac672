import { composeServices, type Composed } from '#server/compose.ts';
import { readConfig } from '#server/kit/config.ts';
import { serverSettings } from '../settings.ts';

/** A statement on a crowd may take long on a busy machine. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
const silent = () => undefined;

/** A server's services on a database, without a server: no page, no chain, nothing cached. */
export const openServices = (databaseUrl: string): Promise<Composed> =>
  composeServices(readConfig(serverSettings(databaseUrl)), {
    log: { info: silent, warn: silent, error: silent },
    undoWindowMs: 0,
    maxConnections: 4,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    notesIntervalMs: 0,
  });
