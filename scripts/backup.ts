/** `npm run backup [-- --to <folder>] [--keep 14]`: a checked dump of the database (DATABASE_URL, or the embedded one). See docs/operate/backup.md. */
import path from 'node:path';
import { makeBackup } from '#ops/backup/make-backup.ts';
import { openTaskDatabase } from '#ops/serve/database.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { readOptions } from '#ops/process/options.ts';
import { loadDotEnv, ROOT, step } from '#ops/process/report.ts';

const DEFAULT_KEEP = 14;

await runWithLifecycle(async (lifecycle) => {
  loadDotEnv();
  const { values } = readOptions('npm run backup -- [options]', {
    to: { type: 'string', says: 'the folder of the backups; data/backups without it' },
    keep: { type: 'string', says: `how many of them stay; ${DEFAULT_KEEP} without it` },
  });
  const keep = Number(values.keep ?? DEFAULT_KEEP);
  if (!Number.isInteger(keep) || keep < 1) throw new Error('--keep is how many backups stay, at least 1.');
  const { url } = await openTaskDatabase(lifecycle);
  const { folder, manifest, deleted } = await step(
    'Backup',
    () => makeBackup({ databaseUrl: url, to: path.resolve(values.to ?? path.join(ROOT, 'data', 'backups')), keep }),
    () => 'Backup made and checked',
  );
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  console.log(`  ${folder}: ${manifest.file.bytes.toLocaleString()} bytes, ${rows.toLocaleString()} rows`);
  if (deleted.length > 0) console.log(`  deleted: ${deleted.join(', ')}`);
  await lifecycle.end(0);
});
