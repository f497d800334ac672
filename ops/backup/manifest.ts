import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

export const DUMP_FILE = 'database.dump';
export const MANIFEST_FILE = 'manifest.json';

const Role = z.object({
  name: z.string(),
  logsIn: z.boolean(),
  memberOf: z.array(z.string()),
});
export type Role = z.output<typeof Role>;

const Manifest = z.object({
  format: z.literal(1),
  id: z.uuid(),
  moment: z.iso.datetime(),
  database: z.string(),
  serverVersion: z.number().int(),
  dumpVersion: z.number().int(),
  /** Migration names with their hashes. */
  migrations: z.record(z.string(), z.string()),
  roles: z.array(Role),
  file: z.object({ bytes: z.number().int(), sha256: z.string() }),
  tables: z.record(z.string(), z.object({ rows: z.number().int(), sum: z.string() })),
});
export type Manifest = z.output<typeof Manifest>;

export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const handle = await open(path.join(folder, MANIFEST_FILE), 'w', 0o600);
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
  return createHash('sha256').update(text).digest('hex');
}

/** The manifest with its SHA-256. @throws Error with one line when it is not a backup */
export async function readManifest(folder: string): Promise<{ manifest: Manifest; checksum: string }> {
  const text = await readFile(path.join(folder, MANIFEST_FILE), 'utf8').catch(() => null);
  if (text === null) throw new Error(`${folder} is no backup: it has no ${MANIFEST_FILE}.`);
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success)
    throw new Error(
      `${path.join(folder, MANIFEST_FILE)} is not one that this version reads: restore it with the version that made it. Nothing was changed.`,
    );
  return { manifest: parsed.data, checksum: createHash('sha256').update(text).digest('hex') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
