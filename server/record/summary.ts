import type { RecordSummary } from '#shared/contract/record.ts';
import { formatVerifier } from '#record/log/note.ts';
import type { Services } from '#server/kit/services.ts';
import { findSigner } from './identity.ts';
import { newestCheckpoints } from './queries.ts';

const NEWEST = 7;

export async function summarizeRecord({ db, config }: Pick<Services, 'db' | 'config'>): Promise<RecordSummary> {
  const [signer, checkpoints, restores] = await Promise.all([
    findSigner(db, config),
    newestCheckpoints(db, NEWEST),
    db.selectFrom('restores').select('moment').orderBy('id').execute(),
  ]);
  return {
    isPublished: signer !== null,
    origin: signer?.name ?? null,
    verifierKey: signer && formatVerifier(signer),
    anchorSender: config.anchorKey?.toSuiAddress() ?? null,
    witnesses: config.logWitnesses.map(({ verifier }) => formatVerifier(verifier)),
    restores: restores.map(({ moment }) => moment.toISOString()),
    checkpoints,
  };
}
