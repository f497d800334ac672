import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { conflict } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { anchorCheckpoints } from './anchor.ts';
import { digestVotes } from './digests.ts';
import { publish, publishRecord } from './publish.ts';
import { newestCheckpoints } from './queries.ts';

/** @throws 409 in production, where there is one checkpoint a day, and where no key signs */
export async function publishNow(services: Services, who: Actor): Promise<RecordCheckpoint> {
  const { config, db } = services;
  if (config.env === 'production')
    throw conflict('once_a_day', 'The record is published once a day, after midnight UTC');
  if (!config.logPrivateKey) throw conflict('no_log_key', 'LOG_PRIVATE_KEY is not set: there is no record');
  // No day is left out: past ones have separate batches.
  await publishRecord(services);
  const size = await publish(services, 'now');
  if (size === null) throw conflict('nothing_new', 'There is nothing to publish yet. Try again in a moment.');
  await writeAudit(db, who, { action: 'record.publish', detail: `Checkpoint of ${size} entries`, outcome: 'ok' });
  await digestVotes(services);
  await anchorCheckpoints(services);
  const [checkpoint] = await newestCheckpoints(db, 1);
  if (!checkpoint) throw new Error('the checkpoint is gone');
  return checkpoint;
}
