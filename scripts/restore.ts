/** `npm run restore -- [options]` (`-- --help` lists them): restores a backup, or finishes a restore; docs/operate/backup.md. */
import { readFile } from 'node:fs/promises';
import { openDatabase } from '#db/client.ts';
import { findMissing, findPublished, releaseRecord } from '#server/record/after-restore.ts';
import { finishRestore, nextSteps } from '#ops/backup/after-restore.ts';
import { restoreBackup } from '#ops/backup/restore-backup.ts';
import { checkDatabase, openTaskDatabase } from '#ops/serve/database.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readOptions } from '#ops/process/options.ts';
import { loadDotEnv, step } from '#ops/process/report.ts';

const USAGE =
  'Say one of --from <backup>, --after-recovery <moment>, --record <address or file>: see docs/operate/backup.md.';

async function finish(url: string, moment: Date): Promise<void> {
  const { differences, record } = await step('Migrations, check of the books', () =>
    finishRestore(url, moment, Boolean(process.env.LOG_PRIVATE_KEY)),
  );
  for (const line of nextSteps(moment, record)) console.log(`  ${line}`);
  if (differences.length > 0) throw new Error(`The books contradict each other: ${differences.join('; ')}`);
}

async function restoreFrom(from: string, url: string): Promise<void> {
  const { manifest, withoutLogin } = await step('Backup restored, each table compared', () => restoreBackup(from, url));
  for (const { name } of withoutLogin)
    console.log(`! The role ${name} has no login here: ALTER ROLE ${name} LOGIN PASSWORD '…'`);
  await finish(url, new Date(manifest.moment));
}

const readPlace = async (place: string): Promise<string> =>
  /^https?:/.test(place) ? (await fetch(place)).text() : readFile(place, 'utf8');

async function releaseWith(place: string, url: string): Promise<void> {
  const note = place === 'none' ? null : await readPlace(place);
  const { db, close } = openDatabase(url, { maxConnections: 1 });
  try {
    const missing = note === null ? await findPublished(db) : await findMissing(db, note);
    if (missing !== null) throw new Error(`The record stays as it is: ${missing}. See docs/operate/backup.md.`);
    await releaseRecord(db);
    console.log('✓ The record is complete, and goes on.');
  } finally {
    await close();
  }
}

await runWithLifecycle(async (lifecycle) => {
  loadDotEnv();
  const { values } = readOptions('npm run restore -- [options]', {
    from: { type: 'string', says: 'a backup, to be restored into an empty database' },
    into: { type: 'string', says: 'the address of that database; DATABASE_URL, or the embedded one, without it' },
    'after-recovery': { type: 'string', says: 'the moment to which the database went back by other means' },
    record: {
      type: 'string',
      says: 'address or file of the newest checkpoint (none: a site that never published): the record goes on if none is missing',
    },
  });
  const recoveredTo = values['after-recovery'];
  if ([values.from, recoveredTo, values.record].filter((value) => value !== undefined).length !== 1)
    throw new Error(USAGE);
  const moment = new Date(recoveredTo ?? 0);
  if (Number.isNaN(moment.getTime()))
    throw new Error('--after-recovery wants the moment, like 2026-11-22T15:50:00Z: see docs/operate/backup.md.');
  if (values.into !== undefined) await checkDatabase(values.into, '--into');
  const url = values.into ?? (await openTaskDatabase(lifecycle)).url;
  if (values.from !== undefined) await restoreFrom(values.from, url);
  else if (recoveredTo !== undefined) await finish(url, moment);
  else await releaseWith(values.record ?? '', url);
  await lifecycle.end(0);
});
