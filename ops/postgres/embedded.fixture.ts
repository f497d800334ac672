/** A process for the tests to kill: owns an embedded database, sends {url, pid} or {error}, and stays. */
import { startEmbeddedPostgres } from './embedded.ts';

const dataDir = process.argv[2] ?? '';
try {
  const { url, pid } = await startEmbeddedPostgres({ dataDir });
  process.send?.({ url, pid });
} catch (error) {
  process.send?.({ error: error instanceof Error ? error.message : String(error) });
  process.disconnect();
}
