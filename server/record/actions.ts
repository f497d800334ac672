import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { conflict, HttpError } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { anchorCheckpoints } from './anchor.ts';
import { closeDays } from './close-days.ts';
import { newestCheckpoints } from './queries.ts';

/** @throws 409 with what is in the way; in production always, where there is one checkpoint a day */
export async function publishNow(services: Services, who: Actor): Promise<RecordCheckpoint> {
  const { config, db, log } = services;
  if (config.env === 'production')
    throw conflict('once_a_day', 'The record is published once a day, after midnight UTC');
  if (!config.logPrivateKey) throw conflict('no_log_key', 'LOG_PRIVATE_KEY is not set: there is no record');
  const days = await closeDays(services, { isPatient: false }).catch((error: unknown) => {
    if (error instanceof HttpError) throw error;
    log.error({ err: error }, 'the record could not be published');
    throw conflict('publishing_failed', "Nothing was published. The server's log has the reason; try again.");
  });
  if (days === 0)
    throw conflict(
      'nothing_to_close',
      'Every day that is over is published already. The next one follows after midnight UTC.',
    );
  await writeAudit(db, who, { action: 'record.publish', detail: `Days closed: ${days}`, outcome: 'ok' });
  await anchorCheckpoints(services);
  const [checkpoint] = await newestCheckpoints(db, 1);
  if (!checkpoint) throw new Error('the checkpoint is gone');
  return checkpoint;
}
