/** `npm start`: the whole product with demo data on this machine, nothing else needed. */
import { DEMO_PASSWORD } from '#server/panel/admin/password.ts';
import { buildPage, isPageBuilt } from '#ops/page/build-page.ts';
import { startDemoParts } from '#lab/start/demo.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { loadDotEnv, seconds, step } from '#ops/process/report.ts';
import { forkServer } from '#ops/serve/server.ts';

await runWithLifecycle(async (lifecycle) => {
  const startedAtMs = performance.now();
  loadDotEnv();
  const { env, config, broken } = await startDemoParts(lifecycle);
  if (!(await isPageBuilt())) await step('Web page built', buildPage);
  await lifecycle.checkpoint();
  const server = await step('Server', () => lifecycle.own(forkServer({ env })));
  lifecycle.running();

  const url = config.port === 0 ? String(server.ready.url) : `http://localhost:${config.port}`;
  console.log(`\nSnapswipe is ready (${seconds(startedAtMs)}). Open ${url}`);
  if (env.ADMIN_PASSWORD === DEMO_PASSWORD)
    console.log(`The admin panel is ${url}/admin, its password is ${DEMO_PASSWORD}.`);
  console.log('Data stays in ./data. Ctrl-C stops everything.');
  throw new Error(`${await Promise.race([server.exited, broken])}: everything else is stopped too.`);
});
