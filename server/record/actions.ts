import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { conflict, HttpError } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { anchorCheckpoints } from './anchor.ts';
import { digestVotes } from './digests.ts';
import { findNext, openTransaction, publish, publishRecord } from './publish.ts';
import { newestCheckpoints } from './queries.ts';

async function whyNothing(services: Services): Promise<HttpError> {
  const { nowMs, sinceMs, openSince } = await findNext(services, 'now');
  const until = new Date(sinceMs ?? 0).toISOString();
  if (sinceMs !== null && sinceMs > nowMs)
    return conflict('clock_behind', `The record ends at ${until}, later than the clock of the database. Is it right?`);
  if (openSince !== null) return openTransaction(openSince);
  return conflict(
    'too_soon',
    `The record ends at ${until}, and newer votes can still be undone. Try again in a moment.`,
  );
}

async function publishAll(services: Services): Promise<number> {
  // No day is left out: past ones have separate batches.
  await publishRecord(services, { isPatient: false });
  const size = await publish(services, 'now', { isPatient: false });
  if (size === null) throw await whyNothing(services);
  return size;
}

/** @throws 409 with what is in the way; in production always, where there is one checkpoint a day */
export async function publishNow(services: Services, who: Actor): Promise<RecordCheckpoint> {
  const { config, db, log } = services;
  if (config.env === 'production')
    throw conflict('once_a_day', 'The record is published once a day, after midnight UTC');
  if (!config.logPrivateKey) throw conflict('no_log_key', 'LOG_PRIVATE_KEY is not set: there is no record');
  const size = await publishAll(services).catch((error: unknown) => {
    if (error instanceof HttpError) throw error;
    log.error({ err: error }, 'the record could not be published');
    throw conflict('publishing_failed', "Nothing was published. The server's log has the reason; try again.");
  });
  await writeAudit(db, who, { action: 'record.publish', detail: `Checkpoint of ${size} entries`, outcome: 'ok' });
  await digestVotes(services);
  await anchorCheckpoints(services);
  const [checkpoint] = await newestCheckpoints(db, 1);
  if (!checkpoint) throw new Error('the checkpoint is gone');
  return checkpoint;
}
