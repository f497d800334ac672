import { createSigner, NoteError, openNote, type Signer } from '#record/log/note.ts';
import type { Db } from '#db/client.ts';
import type { Config } from '#server/kit/config.ts';

/** Null without LOG_PRIVATE_KEY. A log keeps the name of its first checkpoint even where the site has moved. */
export async function findSigner(
  db: Db,
  { logPrivateKey, publicOrigin }: Pick<Config, 'logPrivateKey' | 'publicOrigin'>,
): Promise<Signer | null> {
  if (!logPrivateKey) return null;
  const first = await db.selectFrom('logCheckpoints').select('signedNote').orderBy('size').limit(1).executeTakeFirst();
  const origin = first?.signedNote.split('\n', 1)[0] ?? `${new URL(publicOrigin).host}/log`;
  return createSigner(origin, logPrivateKey);
}

/** True if LOG_PRIVATE_KEY differs from the key that signed the log: then nothing can be published. */
export async function hasOtherLogKey(db: Db, config: Config): Promise<boolean> {
  const signer = await findSigner(db, config);
  const newest = await db
    .selectFrom('logCheckpoints')
    .select('signedNote')
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (signer === null || newest === undefined) return false;
  try {
    openNote(newest.signedNote, [signer]);
    return false;
  } catch (error) {
    if (error instanceof NoteError) return true;
    throw error;
  }
}
