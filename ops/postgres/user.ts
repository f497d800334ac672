import { chown, lchown, readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

export interface RunAs {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. As root we therefore pick another user: the owner of the cluster, or else
 * `postgres`, or else `nobody`. Any other user runs it directly (undefined).
 */
export async function chooseUser(clusterDir: string): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterDir).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = passwd.match(new RegExp(`^${name}:.*$`, 'm'))?.[0].split(':') ?? [];
    if (uid !== undefined && gid !== undefined && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65_534, gid: 65_534 };
}

export async function giveFolder(folder: string, user: RunAs | undefined): Promise<void> {
  if (user === undefined || (await stat(folder)).uid === user.uid) return;
  for (const entry of await readdir(folder, { recursive: true }))
    await lchown(path.join(folder, entry), user.uid, user.gid);
  // Changed last, because the owner of the folder marks the rest as done.
  await chown(folder, user.uid, user.gid);
}
