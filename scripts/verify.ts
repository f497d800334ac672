/**
 * `npm run verify -- <origin> [--rpc URL] [--key KEY]`: downloads the public record of a site and recomputes all that follows from it.
 * `npm run verify -- --proof FILE --key KEY`: checks a proof that was downloaded from /portfolio, without any server.
 * Exits with 1 where anything differs or could not be checked; docs/record.md.
 */
import { readFile } from 'node:fs/promises';
import { NoteError, parseVerifier } from '#shared/log/note.ts';
import { parseProofFile, verifyProofFile } from '#shared/log/proof-file.ts';
import { readOptions } from '#dev/process/options.ts';
import { printFailure } from '#dev/process/report.ts';
import { isGood, table } from '#verify/report.ts';
import { verifySite } from '#verify/verify.ts';

const USAGE = 'npm run verify -- https://snapswipe.example [--rpc URL] [--key KEY], or -- --proof FILE --key KEY';
const OPTIONS = {
  rpc: { type: 'string', says: 'the Sui node to ask about anchors' },
  key: { type: 'string', says: 'the verifier key of the record' },
  proof: { type: 'string', says: 'verifies this file of the own record instead of a site' },
} as const;
const PROGRESS_MS = 5_000;

/** The origin of an address that was typed; `localhost:3000` is one without TLS. */
function originOf(text: string | undefined): string {
  if (text === undefined) throw new Error(`Which site? ${USAGE}`);
  const withScheme = /^https?:\/\//.test(text)
    ? text
    : `${/^(?:localhost|127\.)/.test(text) ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(withScheme)) throw new Error(`${text} is no address of a site. ${USAGE}`);
  return new URL(withScheme).origin;
}

/** One line that changes on a terminal; elsewhere a line now and then. */
function createProgress(): { show: (text: string) => void; clear: () => void } {
  const { stderr } = process;
  let lastMs = 0;
  return {
    show(text) {
      const pauseMs = stderr.isTTY ? 100 : PROGRESS_MS;
      if (performance.now() - lastMs < pauseMs) return;
      lastMs = performance.now();
      stderr.write(stderr.isTTY ? `\r\u001b[K  ${text}` : `  ${text}\n`);
    },
    clear: () => void (stderr.isTTY && stderr.write('\r\u001b[K')),
  };
}

async function checkProof(file: string, keyText: string | undefined): Promise<void> {
  if (keyText === undefined) throw new Error(`The log's key is needed: ${USAGE}`);
  try {
    const text = await readFile(file, 'utf8');
    const { extra, index } = parseProofFile(text);
    if (!extra) throw new NoteError('The proof does not name its entry');
    const { origin, size } = verifyProofFile(text, extra, parseVerifier(keyText));
    console.log(`✓ Entry ${index} of the ${size.toLocaleString('en')} entries of ${origin}`);
    console.log(`  ${new TextDecoder().decode(extra)}`);
  } catch (error) {
    throw error instanceof NoteError ? new Error(`The proof does not hold: ${error.message}`) : error;
  }
}

async function checkSite(typed: string | undefined, options: { rpc?: string; key?: string }): Promise<boolean> {
  const progress = createProgress();
  const origin = originOf(typed);
  try {
    const { title, checks } = await verifySite({
      origin,
      rpcUrl: options.rpc,
      verifierKey: options.key,
      onProgress: progress.show,
    });
    progress.clear();
    console.log(`${title}\n`);
    console.log(table(checks, { colors: process.stdout.isTTY && process.env.NO_COLOR === undefined }));
    console.log(isGood(checks) ? '\nEverything fits.' : '\nNot everything fits, or could be checked.');
    return isGood(checks);
  } finally {
    progress.clear();
  }
}

try {
  const { values, positionals } = readOptions(USAGE, OPTIONS, process.argv.slice(2), 1);
  if (values.proof !== undefined) await checkProof(values.proof, values.key);
  else if (!(await checkSite(positionals[0], values))) process.exitCode = 1;
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
