/** `npm run verify -- <origin>`: recomputes everything that follows from the public record of a site (docs/use/verify.md). */
import { run } from '#record/verify/cli.ts';

process.exitCode = await run(process.argv.slice(2), 'npm run verify --');
