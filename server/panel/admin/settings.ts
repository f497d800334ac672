import type { Db } from '#db/client.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';

interface Setting {
  configKey: 'WITHDRAWALS_PAUSED';
  configValue: 'true' | 'false';
}

export async function readSetting(db: Db, configKey: Setting['configKey']): Promise<Setting> {
  const row = await db.selectFrom('config').select('configValue').where('configKey', '=', configKey).executeTakeFirst();
  return { configKey, configValue: row?.configValue === 'true' ? 'true' : 'false' };
}

/** A pause waits for the withdrawals that were admitted before it: once this returns, none succeeds. */
export async function writeSetting(db: Db, who: Actor, setting: Setting): Promise<Setting> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('config')
      .values(setting)
      .onConflict((conflict) => conflict.column('configKey').doUpdateSet({ configValue: setting.configValue }))
      .execute();
    await writeAudit(trx, who, {
      action: 'config',
      detail: `${setting.configKey} = ${setting.configValue}`,
      outcome: 'ok',
    });
  });
  return setting;
}
