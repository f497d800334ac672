import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { toBase58 } from '@mysten/sui/utils';
import type { Db } from '#db/client.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { insertProjects } from '../testing/builders.ts';
import { Client, newUser, signInWith, type TestUser } from '../testing/client.ts';
import { columnsWith } from '../testing/columns-with.ts';
import { deleteAccount } from '../testing/deletion.ts';
import { allEndpoints } from '#shared/contract/all.ts';
import { createAttackers } from './attackers.ts';
import { FREE_WRITES, type FreeWrite, PROJECTS } from './free-writes.ts';
import { WITHOUT_RATE_LIMITS } from '../settings.ts';
import { type Stack, startStack } from './stack.ts';
import { storedBytes } from './stored-bytes.ts';

/** Data that a wallet that never pays may have stored within an hour, by each kind of write. */
export const MOST_BYTES = 250_000;

const WALLETS = 2;
/** Duration of each half of a wallet's requests, and how many are sent at once. */
export const SENDS = 30;
const AT_ONCE = 5;
/** A busy server is asked again: an hour is long. */
const PAUSE_MS = 200;
/** Counters and networks are stored every few seconds, later by a busy server: nothing is late after three equal readings. */
const READING_MS = 4_000;
const EQUAL_READINGS = 3;
const MOST_READINGS = 15;
const CLAIMS_AT_ONCE = 500;
const OPEN_CLAIMS = 5;

export interface Kept {
  name: string;
  /** Count of each status, of all wallets. */
  statuses: string;
  /** Whether a request was accepted, which the measurement requires. */
  isLetIn: boolean;
  /** Bytes of one wallet: after the first half, by the second, and within an hour at the rate of the second. */
  firstBytes: number;
  secondBytes: number;
  hourBytes: number;
}

export interface StorageResult {
  kept: Kept[];
  claimsAccepted: number;
  /** Columns that lead from a deleted user id to its wallet. */
  leading: string[];
  /** Problems, in words. */
  misses: string[];
}

/** Endpoints that people without an admin role write to, and that nothing here calls. */
function findUnknown(): string[] {
  const known = new Set(FREE_WRITES.flatMap(({ endpoints }) => endpoints));
  return allEndpoints()
    .filter(([, { method, access }]) => method !== 'GET' && access !== 'admin')
    .map(([name]) => name)
    .filter((name) => !known.has(name));
}

async function insist(write: FreeWrite, user: TestUser, n: number): Promise<number> {
  for (;;) {
    const status = await write.send(user, n);
    if (status !== 503) return status;
    await sleep(PAUSE_MS);
  }
}

/** Runs all wallets at the same time, each with several requests in flight. */
async function sendHalf(
  write: FreeWrite,
  users: TestUser[],
  from: number,
  statuses: Map<number, number>,
): Promise<void> {
  await Promise.all(
    users.map(async (user) => {
      let n = from;
      const work = async (): Promise<void> => {
        while (n < from + SENDS) {
          const status = await insist(write, user, n++);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: write.atOnce ?? AT_ONCE }, work));
    }),
  );
}

function isLetIn({ accepted }: FreeWrite, statuses: number[]): boolean {
  if (accepted === undefined) return statuses.some((status) => status < 300);
  return accepted === null || statuses.includes(accepted);
}

/** The stored bytes, once all that a write leaves behind is stored. */
async function bytesAfter(write: FreeWrite, db: Db): Promise<number> {
  let bytes = await storedBytes(db);
  if (!write.isLate) return bytes;
  for (let equal = 1, readings = 1; equal < EQUAL_READINGS && readings < MOST_READINGS; readings += 1) {
    await sleep(READING_MS);
    const next = await storedBytes(db);
    equal = next === bytes ? equal + 1 : 1;
    bytes = next;
  }
  return bytes;
}

async function measure(stack: Stack, write: FreeWrite): Promise<Kept> {
  const { db } = stack.client;
  const users: TestUser[] = [];
  for (let at = 0; at < WALLETS; at += 1) {
    const user = await newUser(stack.servers[at % 2 === 0 ? 0 : 1]);
    await write.prepare?.(user, db);
    users.push(user);
  }
  const statuses = new Map<number, number>();
  const before = await storedBytes(db);
  await sendHalf(write, users, 0, statuses);
  const between = await bytesAfter(write, db);
  await sendHalf(write, users, SENDS, statuses);
  const after = await bytesAfter(write, db);
  const [firstBytes, secondBytes] = [(between - before) / WALLETS, (after - between) / WALLETS];
  const further = Math.max(0, write.perHour - 2 * SENDS) / SENDS;
  return {
    name: write.name,
    statuses: [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
    isLetIn: isLetIn(write, [...statuses.keys()]),
    firstBytes,
    secondBytes,
    hourBytes: firstBytes + secondBytes * (1 + further),
  };
}

async function countClaims({ servers }: Stack): Promise<number> {
  const user = await newUser(servers[0]);
  const twin = Object.assign(new Client(servers[1].url), { cookie: user.cookie });
  const responses = await Promise.all(
    Array.from({ length: CLAIMS_AT_ONCE }, (_, n) =>
      (n % 2 === 0 ? user : twin).post('/api/projects/999999/renew', { transactionHash: toBase58(randomBytes(32)) }),
    ),
  );
  return responses.filter(({ status }) => status === 202).length;
}

/**
 * A wallet that has done everything, whose withdrawal an admin has decided, deletes its account; returns the columns
 * that still lead to it.
 */
async function findLeading(stack: Stack): Promise<string[]> {
  const { db } = stack.client;
  const user = await newUser(stack.servers[0]);
  const hex = user.address.slice(2);
  for (const write of FREE_WRITES.filter(({ isInTheWay }) => !isInTheWay)) {
    await write.prepare?.(user, db);
    for (let n = 0; n < 3; n += 1) await insist(write, user, n);
  }
  const { hit, admin } = await createAttackers(stack);
  const open = await db.selectFrom('withdrawals').select('id').where('userId', '=', user.id).executeTakeFirstOrThrow();
  const body = JSON.stringify({ reason: `Not to ${user.address}` });
  const decided = await hit('POST', `/api/admin/withdrawals/${open.id}/reject`, { body, headers: admin });
  if (decided !== 200) throw new Error(`the rejection of a withdrawal answered ${decided}`);
  if (Object.keys(await columnsWith(db, hex)).length === 0) throw new Error('no column has the wallet before');
  // Its sessions have ended by then.
  await signInWith(user, user.wallet);
  const { status } = await deleteAccount(user);
  if (status !== 200) throw new Error(`the deletion of an account answered ${status}`);
  return Object.keys(await columnsWith(db, hex));
}

/**
 * Measures the data that one wallet without SUI can store, write by write; the memory that it claims at once; and the
 * remains after it leaves.
 */
export async function runStorage(lifecycle: Lifecycle, log: (line: string) => void): Promise<StorageResult> {
  const env = { ...WITHOUT_RATE_LIMITS, NODE_ENV: 'production', PUSH_PRIVATE_KEY: randomBytes(32).toString('base64') };
  const stack = await startStack(lifecycle, { durable: false, env });
  await insertProjects(stack.client.db, PROJECTS);
  const kept: Kept[] = [];
  for (const write of FREE_WRITES) {
    const line = await measure(stack, write);
    kept.push(line);
    log(`  ${line.name}: ${line.statuses}`);
  }
  const claimsAccepted = await countClaims(stack);
  const leading = await findLeading(stack);
  const misses = [
    ...findUnknown().map((name) => `nothing writes to ${name}`),
    ...kept
      .filter(({ hourBytes }) => hourBytes > MOST_BYTES)
      .map(({ name, hourBytes }) => `${name}: ${Math.round(hourBytes / 1000)} kB an hour`),
    ...kept.filter((line) => !line.isLetIn).map(({ name, statuses }) => `${name}: none was let in (${statuses})`),
    ...(claimsAccepted === OPEN_CLAIMS ? [] : [`${claimsAccepted} of ${CLAIMS_AT_ONCE} claims at once were accepted`]),
    ...leading.map((column) => `${column} leads from a deleted number to its wallet`),
  ];
  return { kept, claimsAccepted, leading, misses };
}
