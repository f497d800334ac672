import { hasOtherLogKey } from '#server/record/identity.ts';
import { failure, warning } from './check.ts';
import type { Subject } from './subject.ts';

export async function askRecord({ db, config }: Pick<Subject, 'db' | 'config'>): Promise<string> {
  const begun = await db.selectFrom('logCheckpoints').select('size').limit(1).executeTakeFirst();
  if (begun !== undefined && (config.logPrivateKey === null || (await hasOtherLogKey(db, config))))
    throw failure(
      'LOG_PRIVATE_KEY is not the key that has signed the record so far: nothing is published',
      'Set the previous LOG_PRIVATE_KEY; a record that has begun cannot continue with another key',
    );
  if (config.logPrivateKey === null)
    throw warning(
      'off: LOG_PRIVATE_KEY is empty',
      'Set LOG_PRIVATE_KEY (`openssl rand -base64 32`), and keep it as long as the database',
    );
  return config.anchorKey === null ? 'signed, without anchors on Sui' : 'signed and anchored';
}
