import { createSigner, type Signer } from '#shared/log/note.ts';
import type { Db } from '#db/client.ts';
import type { Config } from '../config.ts';

/**
 * The log's name and key; null without LOG_PRIVATE_KEY. A log keeps the name that its first checkpoint had, also where the site has
 * moved: verifiers know it by name and key.
 */
export async function findSigner(db: Db, { logPrivateKey, publicOrigin }: Config): Promise<Signer | null> {
  if (!logPrivateKey) return null;
  const first = await db.selectFrom('logCheckpoints').select('signedNote').orderBy('size').limit(1).executeTakeFirst();
  const origin = first?.signedNote.split('\n', 1)[0] ?? `${new URL(publicOrigin).host}/log`;
  return createSigner(origin, logPrivateKey);
}
