import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type ProgramOptions, run } from '../process/programs.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

interface DumpPrograms {
  pgDump: string;
  pgRestore: string;
  majorVersion: number;
}

async function versionOf(program: string): Promise<number> {
  const { code, output } = await run(program, ['--version'], { timeoutMs: 20_000 });
  return code === 0 ? Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1] ?? 0) : 0;
}

function places(): { pgDump: string; pgRestore: string }[] {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).map(Number).filter(Boolean) : [];
  return [
    ...versions
      .toSorted((one, other) => other - one)
      .map((version) => path.join(DEBIAN_FOLDER, String(version), 'bin'))
      .map((binDir) => ({ pgDump: path.join(binDir, 'pg_dump'), pgRestore: path.join(binDir, 'pg_restore') })),
    { pgDump: 'pg_dump', pgRestore: 'pg_restore' },
  ];
}

/** An older pg_dump refuses a newer server, and an older pg_restore a newer dump. @throws Error with one line */
export async function findDumpPrograms(leastVersion: number): Promise<DumpPrograms> {
  for (const place of places()) {
    const majorVersion = await versionOf(place.pgDump);
    if (majorVersion >= leastVersion && (await versionOf(place.pgRestore)) >= leastVersion)
      return { ...place, majorVersion };
  }
  throw new Error(
    `There is no pg_dump ${leastVersion} or newer on this machine: install the package postgresql-client-${leastVersion}.`,
  );
}

/** The password goes into the environment, where other users of the machine cannot read it. */
export function connectionOf(databaseUrl: string): { url: string; env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { url: url.href, env: password === '' ? {} : { PGPASSWORD: password } };
}

export async function runDumpProgram(
  program: string,
  args: string[],
  options: Pick<ProgramOptions, 'env' | 'input'> = {},
): Promise<string> {
  const { code, output } = await run(program, args, options);
  if (code === 0) return output;
  const line = output.trim().split('\n').at(-1);
  throw new Error(
    `${path.basename(program)} failed: ${line === undefined || line === '' ? `exit code ${code}` : line}`,
  );
}
