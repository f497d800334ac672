import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { runDumpProgram } from './clients.ts';

interface DumpFile {
  bytes: number;
  sha256: string;
}

interface DumpReader {
  program: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  expected?: DumpFile;
}

/** Size of the part that is held back: pg_restore cannot commit without the end of the last table. */
const END_BYTES = 64 * 1024;

const damaged = (file: string): Error =>
  new Error(`${file} is damaged: it is not what was backed up. Take another backup.`);

/** Hashes the same bytes that the program reads. @throws Error with one line */
export async function readDump(file: string, { program, args, env, expected }: DumpReader): Promise<DumpFile> {
  const hash = createHash('sha256');
  const found = { bytes: 0, sha256: '' };
  const passesAtOnce = expected === undefined ? Infinity : expected.bytes - END_BYTES;
  const isExpected = (): boolean =>
    expected === undefined || (found.bytes === expected.bytes && found.sha256 === expected.sha256);
  const feed = async (write: (bytes: Uint8Array) => Promise<void>): Promise<void> => {
    const end: Buffer[] = [];
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      const passes = Math.min(chunk.length, Math.max(0, passesAtOnce - found.bytes));
      hash.update(chunk);
      found.bytes += chunk.length;
      if (expected && found.bytes > expected.bytes) throw damaged(file);
      if (passes > 0) await write(chunk.subarray(0, passes));
      if (passes < chunk.length) end.push(chunk.subarray(passes));
    }
    found.sha256 = hash.digest('hex');
    if (!isExpected()) throw damaged(file);
    for (const chunk of end) await write(chunk);
  };
  const failures: unknown[] = [];
  const input = (write: (bytes: Uint8Array) => Promise<void>): Promise<void> =>
    feed(write).catch((error: unknown) => {
      failures.push(expected ? damaged(file) : error);
      throw error;
    });
  try {
    await runDumpProgram(program, args, { ...(env ? { env } : {}), input });
  } catch (error) {
    throw failures[0] ?? error;
  }
  return found;
}
