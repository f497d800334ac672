/** `npm run migrate`: brings the database (DATABASE_URL, or the embedded one) to the newest schema. */
import { migrate } from '#db/migrate.ts';
import { keepSessionSettings } from '#db/session-settings.ts';
import { openTaskDatabase } from '#ops/serve/database.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { loadDotEnv, step } from '#ops/process/report.ts';

await runWithLifecycle(async (lifecycle) => {
  loadDotEnv();
  const { url } = await openTaskDatabase(lifecycle);
  await step('Database is up to date', () => migrate(url, (line) => console.log(`  ${line}`)));
  if (url !== process.env.DATABASE_URL && process.env.DATABASE_URL) await keepSessionSettings(url);
  await lifecycle.end(0);
});
