/** Entry of the verifier that every site serves as one file. */
import { run } from './cli.ts';

process.exitCode = await run(process.argv.slice(2), 'node verify.mjs');
