import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { NoteError, parseVerifier } from '../log/note.ts';
import { parseProofFile, verifyProofFile } from '../log/proof-file.ts';
import { parseSecret } from '../entries/secrets.ts';
import { BELIEVED } from './believed.ts';
import { defaultStateFile } from './memory.ts';
import { isGood, printable, table } from './report.ts';
import { verifySite } from './verify.ts';
import { parseWitness } from './witnesses.ts';

const RUN_MINUTES = 60;
const MAX_MINUTES = 10_000;

const OPTIONS = {
  help: { type: 'boolean', short: 'h', says: 'prints this' },
  rpc: { type: 'string', says: 'the Sui node to ask about anchors' },
  key: { type: 'string', says: "the log's key, as you know it from elsewhere" },
  state: { type: 'string', says: 'the file with what was seen before (default: in your state folder)' },
  witness: { type: 'string', multiple: true, says: 'the key of a witness; may be given several times' },
  quorum: { type: 'string', says: 'how many of these witnesses have to cosign (default: all)' },
  secret: { type: 'string', says: 'a file with your secret: lists every vote in your name' },
  minutes: { type: 'string', says: `stops reading after so long (default: ${RUN_MINUTES})` },
  proof: { type: 'string', says: 'checks this proof of one vote instead of a site' },
} as const;
const PROGRESS_MS = 5_000;

const usageOf = (command: string): string =>
  [
    `${command} https://snapswipe.example [options]`,
    `${command} --proof FILE --key KEY`,
    '',
    ...Object.entries(OPTIONS).map(
      ([name, { type, says }]) => `  ${`--${name}${type === 'string' ? ' <value>' : ''}`.padEnd(20)}${says}`,
    ),
  ].join('\n');

const believedText = (): string =>
  ['', 'Believed, not compared:', ...BELIEVED.map(({ what }) => `- ${what.replaceAll('`', '')}`)].join('\n');

class UsageError extends Error {}

/** The origin of an address that was typed; `localhost:3000` is one without TLS. */
function originOf(text: string | undefined): string {
  if (text === undefined) throw new UsageError('Name the site to check');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase() ?? 'https';
  if (scheme !== 'http' && scheme !== 'https')
    throw new UsageError(`${text}: ${scheme} is not supported; sites are read over https or http`);
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(text);
  const withScheme = /^https?:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(withScheme)) throw new UsageError(`Not an address of a site: ${text}`);
  return new URL(withScheme).origin;
}

function createProgress(): { show: (text: string) => void; clear: () => void } {
  const { stderr } = process;
  let lastMs = 0;
  return {
    show(text) {
      const pauseMs = stderr.isTTY ? 100 : PROGRESS_MS;
      if (performance.now() - lastMs < pauseMs) return;
      lastMs = performance.now();
      stderr.write(stderr.isTTY ? `\r\u001b[K  ${printable(text)}` : `  ${printable(text)}\n`);
    },
    clear: () => void (stderr.isTTY && stderr.write('\r\u001b[K')),
  };
}

async function checkProof(file: string, keyText: string | undefined): Promise<void> {
  if (keyText === undefined) throw new UsageError("Name the log's key with --key");
  const key = keyOf('--key', keyText, (one) => parseVerifier(one));
  try {
    const text = await readFile(file, 'utf8');
    const { extra, index } = parseProofFile(text);
    if (!extra) throw new NoteError('The proof does not name its entry');
    const { origin, size } = verifyProofFile(text, extra, key);
    console.log(`✓ Entry ${index} of the ${size.toLocaleString('en')} entries of ${printable(origin)}`);
    console.log(`  ${printable(new TextDecoder().decode(extra))}`);
  } catch (error) {
    throw error instanceof NoteError ? new Error(`The proof does not hold: ${error.message}`) : error;
  }
}

function keyOf<T>(option: '--key' | '--witness', text: string, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    throw error instanceof NoteError ? new UsageError(`${option} ${text}: ${error.message}`) : error;
  }
}

function minutesOf(text: string | undefined): number {
  const minutes = Number(text ?? RUN_MINUTES);
  if (minutes > 0 && minutes < MAX_MINUTES) return minutes;
  throw new UsageError(`--minutes ${text}: a number of minutes, less than ${MAX_MINUTES}`);
}

function quorumOf(text: string | undefined, witnesses: number): number {
  const quorum = Number(text ?? witnesses);
  if (Number.isInteger(quorum) && quorum >= 0 && quorum <= witnesses) return quorum;
  throw new UsageError(`--quorum ${text}: a number from 0 to the ${witnesses} witnesses that are given`);
}

async function readSecret(file: string): Promise<Uint8Array> {
  const secret = parseSecret((await readFile(file, 'utf8')).trim());
  if (!secret) throw new UsageError(`${file} has no secret: 43 characters, from /api/record/secret`);
  return secret;
}

type Values = ReturnType<typeof parse>['values'];

async function checkSite(typed: string | undefined, options: Values): Promise<boolean> {
  const progress = createProgress();
  const witnesses = (options.witness ?? []).map((text) => keyOf('--witness', text, parseWitness));
  if (options.key !== undefined) keyOf('--key', options.key, (one) => parseVerifier(one));
  try {
    const { title, checks, ownVotes } = await verifySite({
      origin: originOf(typed),
      rpcUrl: options.rpc,
      verifierKey: options.key,
      stateFile: options.state ?? defaultStateFile(),
      witnesses,
      quorum: quorumOf(options.quorum, witnesses.length),
      secret: options.secret === undefined ? null : await readSecret(options.secret),
      minutes: minutesOf(options.minutes),
      onProgress: progress.show,
    });
    progress.clear();
    console.log(`${printable(title)}\n`);
    console.log(table(checks, { colors: process.stdout.isTTY && process.env['NO_COLOR'] === undefined }));
    if (options.secret !== undefined)
      console.log(['', `${ownVotes.length} votes in your name:`, ...ownVotes].join('\n'));
    console.log(believedText());
    console.log(isGood(checks) ? '\nEverything fits.' : '\nNot everything fits, or could be checked.');
    return isGood(checks);
  } finally {
    progress.clear();
  }
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true });

function parsed(args: string[]): ReturnType<typeof parse> {
  try {
    return parse(args);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** Runs the command; its exit code: 0 if everything fits, 1 if anything differs or could not be checked. */
export async function run(args: string[], command: string): Promise<number> {
  try {
    const { values, positionals } = parsed(args);
    if (values.help) {
      console.log(usageOf(command));
      return 0;
    }
    if (positionals.length > 1) throw new UsageError(`One site at a time: ${positionals.join(' ')}`);
    if (values.proof === undefined) return (await checkSite(positionals[0], values)) ? 0 : 1;
    await checkProof(values.proof, values.key);
    return 0;
  } catch (error) {
    console.error(`✗ ${printable(error instanceof Error ? error.message : String(error))}`);
    if (error instanceof UsageError) console.error(`\n${usageOf(command)}`);
    return 1;
  }
}
