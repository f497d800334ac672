/** `npm run seed`: fills an empty database (DATABASE_URL, or the embedded one) with the demo data. */
import { migrate } from '#db/migrate.ts';
import { seedIfEmpty } from '#lab/demo/seed.ts';
import { openTaskDatabase } from '#ops/serve/database.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { loadDotEnv, step } from '#ops/process/report.ts';

await runWithLifecycle(async (lifecycle) => {
  loadDotEnv();
  if (process.env.SUI_NETWORK === 'mainnet')
    throw new Error('The demo has accounts whose keys are public: it is not for mainnet.');
  const { url } = await openTaskDatabase(lifecycle);
  await step('Database is up to date', () => migrate(url, (line) => console.log(`  ${line}`)));
  await step(
    'Demo data',
    () => seedIfEmpty(url, (line) => console.log(`  ${line}`)),
    (seeded) => (seeded ? 'Demo data written' : 'Nothing to do: the database has data'),
  );
  await lifecycle.end(0);
});
