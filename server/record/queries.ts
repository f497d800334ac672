import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#db/client.ts';
import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { cosignedNote } from './cosign.ts';
import { countRows, cursorsOf, mapPage, type Page, type PageQuery, toFetch, toPage } from '#server/kit/http/pages.ts';

const cursors = cursorsOf('checkpoints', z.int().positive());

const selectCheckpoints = (db: Db) =>
  db
    .selectFrom('logCheckpoints as c')
    .leftJoin('logAnchors as a', 'a.size', 'c.size')
    .select(['c.size', 'c.until', 'c.root', 'c.createdAt', 'a.digest', 'a.anchoredAt', cosignedNote.as('note')])
    .select(sql<string>`c.day::text`.as('day'))
    .orderBy('c.size', 'desc');
type CheckpointRow = Awaited<ReturnType<ReturnType<typeof selectCheckpoints>['executeTakeFirstOrThrow']>>;

export const anchorAddressOf = (root: Uint8Array): string => `0x${Buffer.from(root).toString('hex')}`;

function anchorStateOf({ digest, anchoredAt }: CheckpointRow): RecordCheckpoint['anchorState'] {
  if (digest === null) return 'none';
  return anchoredAt === null ? 'sent' : 'anchored';
}

const toCheckpoint = (row: CheckpointRow): RecordCheckpoint => ({
  size: row.size,
  day: row.day,
  until: row.until.toISOString(),
  root: row.root.toString('base64'),
  note: row.note,
  anchorState: anchorStateOf(row),
  anchorDigest: row.digest,
  anchorAddress: anchorAddressOf(row.root),
  createdAt: row.createdAt.toISOString(),
});

export async function newestCheckpoints(db: Db, count: number): Promise<RecordCheckpoint[]> {
  return (await selectCheckpoints(db).limit(count).execute()).map(toCheckpoint);
}

export async function listCheckpoints(db: Db, page: PageQuery): Promise<Page<RecordCheckpoint>> {
  const before = cursors.read(page);
  const [rows, total] = await Promise.all([
    selectCheckpoints(db)
      .$call((query) => (before === null ? query : query.where('c.size', '<', before)))
      .limit(toFetch(page))
      .execute(),
    countRows(db, db.selectFrom('logCheckpoints').select('size')),
  ]);
  return mapPage(
    toPage(rows, page, ({ size }) => cursors.write(size), total),
    toCheckpoint,
  );
}

export async function voterSecret(db: Db, userId: number): Promise<Buffer> {
  const { rows } = await sql<{ secret: Buffer }>`
    WITH made AS (
      INSERT INTO voter_secrets (user_id, secret) SELECT ${userId}::bigint, new_secret()
      WHERE NOT EXISTS (SELECT FROM voter_secrets WHERE user_id = ${userId})
      ON CONFLICT (user_id) DO UPDATE SET user_id = excluded.user_id RETURNING secret
    )
    SELECT secret FROM voter_secrets WHERE user_id = ${userId} UNION SELECT secret FROM made`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`user ${userId} has no secret`);
  return row.secret;
}
