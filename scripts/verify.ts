/**
 * `npm run verify -- <origin>`: downloads the public record of a site and recomputes everything that follows from it
 * (docs/use/verify.md).
 */
import { run } from '#record/verify/cli.ts';

process.exitCode = await run(process.argv.slice(2), 'npm run verify --');
