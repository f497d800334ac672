import { readOriginal } from '#chain/ownership.ts';
import type { Db } from '#db/client.ts';
import type { Services } from '#server/kit/services.ts';

/** Packages that no listing names: their first versions are asked for, and kept in memory only. */
const MAX_KNOWN = 4_000;
const known = new Map<string, string>();

type Asked = Pick<Services, 'sui' | 'log'>;

export const askedBefore = (id: string): string | undefined => known.get(id);

/** Null if the node does not know the package, or does not answer. */
export async function askOriginal({ sui, log }: Asked, id: string, timeoutMs: number): Promise<string | null> {
  try {
    const original = await readOriginal(sui, id, timeoutMs);
    if (original === null) return null;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(id, original);
    return original;
  } catch (error) {
    log.warn({ err: error, id }, 'the first version of a package could not be read');
    return null;
  }
}

const REPORT_MS = 5_000;

/** For a report: what is not stored is asked for within five seconds, and without an answer counts as a first version. */
export async function versionsForReport(services: Asked, db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const originals = new Map(ids.map((id) => [id, askedBefore(id) ?? id]));
  if (ids.length === 0) return originals;
  const stored = await db.selectFrom('packages').selectAll().where('id', 'in', ids).execute();
  for (const { id, originalId } of stored) originals.set(id, originalId);
  const isStored = new Set(stored.map(({ id }) => id));
  const endMs = performance.now() + REPORT_MS;
  for (const id of originals.keys()) {
    const leftMs = Math.floor(endMs - performance.now());
    if (leftMs <= 0) break;
    if (isStored.has(id) || askedBefore(id) !== undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- the node serves others, too
    const original = await askOriginal(services, id, leftMs);
    if (original !== null) originals.set(id, original);
  }
  return originals;
}
