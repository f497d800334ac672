import { execFile } from 'node:child_process';
import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { failure, warning } from './check.ts';

const OLDEST_NODE = [22, 18] as const;
const PINNED_MAJOR = 24;

export function checkNode(version = process.versions.node): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const remedy = `Start by \`npm run …\`, which uses the pinned Node ${PINNED_MAJOR}, or install Node ${PINNED_MAJOR} from https://nodejs.org`;
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    throw failure(`Node ${version} is too old`, remedy);
  if (major !== PINNED_MAJOR) throw warning(`Node ${version} is not the one that is tested`, remedy);
  return `Node ${version}`;
}

export interface Space {
  path: string;
  freeBytes: number;
  totalBytes: number;
}

const GIGABYTE = 1024 ** 3;
const gigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(1)} GB`;
const SCARCE_BYTES = 5 * GIGABYTE;
const USED_UP_BYTES = GIGABYTE;
const hasLess = ({ freeBytes, totalBytes }: Space, bytes: number): boolean =>
  freeBytes < bytes && freeBytes < totalBytes / 2;

export function checkSpace(spaces: Space[]): string {
  const remedy = 'Make room: old backups, journals (`journalctl --vacuum-size=1G`), or a larger disk';
  const tell = ({ path: place, freeBytes, totalBytes }: Space) =>
    `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} free at ${place}`;
  const full = spaces.find((space) => hasLess(space, USED_UP_BYTES));
  if (full) throw failure(`only ${tell(full)}`, remedy);
  const scarce = spaces.find((space) => hasLess(space, SCARCE_BYTES));
  if (scarce) throw warning(`only ${tell(scarce)}`, remedy);
  return spaces.map(tell).join('; ');
}

export async function readSpaces(places: string[]): Promise<Space[]> {
  const spaces = new Map<number, Space>();
  for (const place of places) {
    const seen = await nearestVisible(place);
    const { dev } = await stat(seen);
    const { bavail, blocks, bsize } = await statfs(seen);
    if (!spaces.has(dev)) spaces.set(dev, { path: place, freeBytes: bavail * bsize, totalBytes: blocks * bsize });
  }
  return [...spaces.values()];
}

async function nearestVisible(place: string): Promise<string> {
  const isVisible = await statfs(place).then(
    () => true,
    () => false,
  );
  const above = path.dirname(place);
  return isVisible || above === place ? place : nearestVisible(above);
}

export async function checkSettingsFile(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  if (found === null) return null;
  if ((found.mode & 0o007) !== 0) throw warning(`every user of this machine may read ${file}`, `chmod o= ${file}`);
  return `valid, and ${file} is readable by its owner and group only`;
}

/** systemd's report on NTP; null without one. */
export async function readNtp(): Promise<boolean | null> {
  const args = ['show', '--property=NTPSynchronized', '--value'];
  const found = await promisify(execFile)('timedatectl', args, { timeout: 5_000 }).catch(() => null);
  const said = found?.stdout.trim();
  return said === 'yes' ? true : said === 'no' ? false : null;
}

export interface OtherClock {
  name: string;
  aheadMs: number;
  /** It may lag for other reasons; only being ahead is evidence. */
  mayLag: boolean;
}

const MOST_AHEAD_MS = 5_000;
const MOST_BEHIND_MS = 60_000;

export function checkClocks(others: OtherClock[], ntp: boolean | null): string {
  const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1000)} s`;
  const remedy = 'Let NTP keep the clock: apt-get install systemd-timesyncd; timedatectl set-ntp true';
  for (const { name, aheadMs, mayLag } of others) {
    if (aheadMs > MOST_AHEAD_MS) throw failure(`this machine is ${seconds(aheadMs)} behind ${name}`, remedy);
    if (!mayLag && aheadMs < -MOST_AHEAD_MS)
      throw failure(`this machine is ${seconds(aheadMs)} ahead of ${name}`, remedy);
    if (aheadMs < -MOST_BEHIND_MS)
      throw warning(
        `${name} is ${seconds(aheadMs)} behind: it lags, or this machine's clock is ahead`,
        `If the clock is right, set SUI_RPC_URL to a node that keeps up. ${remedy}`,
      );
  }
  if (ntp === false) throw warning('nothing keeps the clock of this machine right', remedy);
  const names = others.map(({ name }) => name);
  if (names.length === 0 && ntp === null)
    throw warning('nothing was there to compare the clock of this machine with', remedy);
  return names.length > 0 ? `agrees with ${names.join(' and ')}` : 'kept by NTP';
}
