/** `npm run dev`: like `npm start`, but the server restarts and the page reloads when a file changes. */
import { runProgram } from '#ops/process/children.ts';
import { startDemoParts } from '#lab/start/demo.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { programOf } from '#ops/process/programs.ts';
import { loadDotEnv } from '#ops/process/report.ts';

const VITE_PORT = 5173;

await runWithLifecycle(async (lifecycle) => {
  loadDotEnv();
  // vite serves the page and passes calls to the server: its origin is the one that people type.
  process.env.PUBLIC_ORIGIN ||= `http://localhost:${VITE_PORT}`;
  const { env, broken } = await startDemoParts(lifecycle);
  const watched = ['--watch', '--watch-preserve-output', 'ops/serve/main.ts'];
  const server = await lifecycle.own(Promise.resolve(runProgram(process.execPath, watched, env)));
  const [vite, ...first] = programOf('vite');
  const page = await lifecycle.own(
    Promise.resolve(runProgram(vite, [...first, '--port', String(VITE_PORT), '--strictPort'], env)),
  );
  lifecycle.running();
  console.log(`\nDevelopment: open ${env.PUBLIC_ORIGIN}. Ctrl-C stops everything.`);
  throw new Error(`${await Promise.race([server.exited, page.exited, broken])}: everything else is stopped too.`);
});
