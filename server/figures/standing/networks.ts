import { createHmac, hash as digest, randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { parseAddress } from '#server/kit/http/address.ts';
import type { NetworkNotes } from '#server/kit/services.ts';

/** Sightings of the day in memory. A full set is emptied, which only costs further notes. */
const MAX_KNOWN = 2 ** 17;
const MAX_WAITING = 2_500;
/** Hashing thousands at once would block requests. */
const MAX_STORED_AT_ONCE = 200;
const HASH_BYTES = 16;

const hextets = (part: string): string[] => (part === '' ? [] : part.split(':'));

/** The /24 of an IPv4 address, the /48 of an IPv6 address; null for an invalid address. */
export function networkOf(address: string): string | null {
  const plain = parseAddress(address);
  if (plain === null) return null;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  const [head = '', tail] = plain.split('::');
  const [before, after] = [hextets(head), hextets(tail ?? '')];
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, 3).map((hextet) => parseInt(hextet, 16).toString(16));
  return `${network.join(':')}::/48`;
}

interface NetworkNotesOptions {
  intervalMs?: number;
  onError?: (error: unknown) => void;
}

/** Salts of other days are deleted, so that their hashes cannot be traced to an address. */
async function saltOfToday(db: Db): Promise<{ day: string; salt: Buffer }> {
  const today = sql`(now() AT TIME ZONE 'UTC')::date`;
  await sql`DELETE FROM network_salts WHERE day <> ${today}`.execute(db);
  await sql`INSERT INTO network_salts (day, salt) VALUES (${today}, ${randomBytes(32)}) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  const { rows } = await sql<{
    day: string;
    salt: Buffer;
  }>`SELECT day::text AS day, salt FROM network_salts ORDER BY day DESC LIMIT 1`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the salt of the day was deleted by another server');
  return row;
}

interface Sighting {
  userId: number;
  address: string;
}

function hashNetwork(salt: Buffer, address: string): Buffer | null {
  const network = networkOf(address);
  return network === null ? null : createHmac('sha256', salt).update(network).digest().subarray(0, HASH_BYTES);
}

async function store(db: Db, waiting: readonly Sighting[]): Promise<void> {
  const { day, salt } = await saltOfToday(db);
  const hashes = new Map<string, Buffer | null>();
  const hashOf = (address: string): Buffer | null => {
    let hash = hashes.get(address);
    if (hash === undefined) hashes.set(address, (hash = hashNetwork(salt, address)));
    return hash;
  };
  for (let start = 0; start < waiting.length; start += MAX_STORED_AT_ONCE) {
    const rows = waiting.slice(start, start + MAX_STORED_AT_ONCE).flatMap(({ userId, address }) => {
      const hash = hashOf(address);
      return hash === null ? [] : [{ userId, hash }];
    });
    // oxlint-disable-next-line no-await-in-loop -- with pauses, so that requests are served in between
    await sql`INSERT INTO voter_networks (day, network, user_id)
      SELECT ${day}::date, x.network, x.user_id
      FROM unnest(${rows.map(({ hash }) => hash)}::bytea[], ${rows.map(({ userId }) => userId)}::bigint[]) AS x (network, user_id)
      ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`.execute(db);
  }
}

export function createNetworkNotes(
  db: Db,
  { intervalMs = 5_000, onError = () => undefined }: NetworkNotesOptions = {},
): NetworkNotes {
  const known = new Set<string>();
  const secret = randomBytes(16).toString('hex');
  const markOf = ({ userId, address }: Sighting) =>
    digest('sha256', `${secret} ${userId} ${address}`, 'base64url').slice(0, 16);
  let waiting: Sighting[] = [];
  let day = 0;
  let isClosed = false;

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    try {
      await store(db, batch);
    } catch (error) {
      for (const sighting of batch) known.delete(markOf(sighting));
      onError(error);
    }
  }

  const timer = intervalMs > 0 ? setInterval(() => void flush(), intervalMs).unref() : null;
  return {
    note(userId, address) {
      if (address === undefined) return;
      const today = Math.floor(Date.now() / 86_400_000);
      if (today !== day) known.clear();
      day = today;
      if (isClosed || waiting.length >= MAX_WAITING) return;
      const mark = markOf({ userId, address });
      if (known.has(mark)) return;
      if (known.size >= MAX_KNOWN) known.clear();
      known.add(mark);
      waiting.push({ userId, address });
    },
    flush,
    async close() {
      isClosed = true;
      if (timer) clearInterval(timer);
      await flush();
    },
  };
}
