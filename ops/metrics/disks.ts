import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Services } from '#server/kit/services.ts';

export interface Disk {
  path: string;
  freeBytes: number;
  totalBytes: number;
}

/** Debian's folder of clusters: only some roles may read `data_directory`. */
const CLUSTERS = '/var/lib/postgresql';

async function readDataFolder({ config, db }: Pick<Services, 'config' | 'db'>): Promise<string | null> {
  const host = new URL(config.databaseDirectUrl).hostname;
  if (!['', 'localhost', '127.0.0.1', '[::1]'].includes(host)) return null;
  const found = await sql<{ folder: string }>`SELECT current_setting('data_directory') AS folder`
    .execute(db)
    .catch(() => null);
  return found?.rows[0]?.folder ?? CLUSTERS;
}

export async function readDisks(services: Pick<Services, 'config' | 'db'>, places: string[]): Promise<Disk[]> {
  const data = await readDataFolder(services);
  const disks = new Map<number, Disk>();
  for (const place of data === null ? places : [...places, data]) {
    const seen = await nearestVisible(place);
    const { dev } = await stat(seen);
    const { bavail, blocks, bsize } = await statfs(seen);
    if (!disks.has(dev)) disks.set(dev, { path: place, freeBytes: bavail * bsize, totalBytes: blocks * bsize });
  }
  return [...disks.values()];
}

async function nearestVisible(place: string): Promise<string> {
  const isVisible = await statfs(place).then(
    () => true,
    () => false,
  );
  const above = path.dirname(place);
  return isVisible || above === place ? place : nearestVisible(above);
}
