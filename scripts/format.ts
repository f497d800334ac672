/** `npm run format`: formats all files, or those named. */
import { run } from '#ops/process/programs.ts';

const { code } = await run('oxfmt', process.argv.slice(2), { show: true });
process.exitCode = code;
