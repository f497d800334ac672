import { sql } from 'kysely';
import type { Span } from '#server/books/opinions.ts';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { signCheckpoint } from '#record/log/checkpoint.ts';
import { emptyRoot, type Hash } from '#record/log/hashes.ts';
import type { Signer } from '#record/log/note.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import { type EntryOf, RECORD_FORMAT, STATE_PSEUDONYMS } from '#record/entries/entries.ts';
import type { SuiNetwork } from '#shared/constants.ts';
import { openStored } from './notes.ts';
import { type OpinionSlice, readChanges, readOpinions, slicesOf } from './states.ts';
import { appendListings } from './others.ts';
import { appendPayouts, closeOwed } from './payouts.ts';
import { createVotesFile, storeVotesFile, type VotesFile } from './votes-file.ts';
import { type LogWriter, openLog } from './writer.ts';

interface Batch extends Span {
  trx: Db;
  day: string;
  log: LogWriter;
  votesFile: VotesFile;
}

interface Newest {
  size: number;
  root: Hash;
  standingDay: string | null;
  anchorSender: string | null;
  voteCount: number;
  byHand: number;
}

/**
 * The end of the log by its newest signed note, so that no new signature contradicts it (C2SP tlog-checkpoint).
 * @throws when LOG_PRIVATE_KEY is not the key that has signed the log so far, or the row differs from its note
 */
async function findNewest(trx: Db, signer: Signer): Promise<Newest> {
  const newest = await trx
    .selectFrom('logCheckpoints')
    .select(['size', 'root', 'signedNote', 'anchorSender', 'voteCount', 'byHand'])
    .select(sql<string | null>`standing_day::text`.as('standingDay'))
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!newest) return { size: 0, root: emptyRoot(), standingDay: null, anchorSender: null, voteCount: 0, byHand: 0 };
  openStored(newest, signer);
  return newest;
}

type Opinions = Pick<Batch, 'log' | 'votesFile'>;

/** Appends opinions; returns how many of them are votes. */
async function appendOpinions(trx: Db, { log, votesFile }: Opinions, slice: OpinionSlice): Promise<number> {
  let votes = 0;
  for await (const rows of readOpinions(trx, slice)) {
    for (const { pseudonym, ...row } of rows) {
      const entry = { ...row, pseudonym: toBase64Url(pseudonym) };
      log.append(entry);
      if (row.kind === 'vote') votes += 1;
      // oxlint-disable-next-line no-await-in-loop -- the file keeps the order of the record
      await votesFile.add(entry);
    }
    await log.flush(trx);
  }
  return votes;
}

async function appendStates({ trx, log, day, ...span }: Batch): Promise<void> {
  let group: EntryOf<'state'> | null = null;
  const close = (): void => {
    if (group) log.append(group);
  };
  for await (const rows of readChanges(trx, span)) {
    for (const { pseudonym, ...change } of rows) {
      const isSame =
        group?.state === change.state && group.projectId === change.projectId && group.period === change.period;
      if (!group || !isSame || group.pseudonyms.length === STATE_PSEUDONYMS) {
        close();
        group = { kind: 'state', day, ...change, pseudonyms: [] };
      }
      group.pseudonyms.push(toBase64Url(pseudonym));
    }
    await log.flush(trx);
  }
  close();
}

/** Appends the totals of the closed day that differ from those in the record. */
async function appendTotals({ trx, log, day }: Batch): Promise<void> {
  const sum = (kind: string) => sql`coalesce(sum(value) FILTER (WHERE kind = ${sql.lit(kind)}), 0)::bigint`;
  const { rows } = await sql<Omit<EntryOf<'project'>, 'kind' | 'day'>>`
    WITH present AS (
      SELECT project_id, period, ${sum('bullish')} AS bullish, ${sum('bearish')} AS bearish,
        ${sum('verified_bullish')} AS verified_bullish, ${sum('verified_bearish')} AS verified_bearish
      FROM totals WHERE name = 'opinions' GROUP BY 1, 2
    )
    INSERT INTO recorded_totals AS r (project_id, period, bullish, bearish, verified_bullish, verified_bearish)
    SELECT p.* FROM present p LEFT JOIN recorded_totals k USING (project_id, period)
    WHERE (p.bullish, p.bearish, p.verified_bullish, p.verified_bearish)
      <> (coalesce(k.bullish, 0), coalesce(k.bearish, 0), coalesce(k.verified_bullish, 0), coalesce(k.verified_bearish, 0))
    ON CONFLICT (project_id, period) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish,
      verified_bullish = excluded.verified_bullish, verified_bearish = excluded.verified_bearish
    RETURNING project_id, period, bullish, bearish, verified_bullish, verified_bearish`.execute(trx);
  const inOrder = rows.toSorted((one, other) => one.projectId - other.projectId || one.period - other.period);
  for (const project of inOrder) log.append({ kind: 'project', day, ...project });
  await log.flush(trx);
}

/** Appends the format in the first batch, and the wallet that anchors in the first one and at each change. */
function appendIdentity({ log, day }: Batch, before: Newest, anchorSender: string | null): void {
  const isFirst = before.size === 0;
  if (isFirst) log.append({ kind: 'format', day, version: RECORD_FORMAT });
  if (isFirst || before.anchorSender !== anchorSender) log.append({ kind: 'anchor', day, sender: anchorSender });
}

/** Appends the results of readings up to the batch's own day; returns the newest such day. */
async function appendStanding({ trx, log, day: until }: Batch, after: string | null): Promise<string | null> {
  const { rows } = await sql<{ day: string; skipped: string | null; wallets: number; standing: number }>`
    SELECT day::text AS day, skipped, wallets, standing FROM standing_days
    WHERE day > ${after ?? '-infinity'}::date AND day <= ${until}::date ORDER BY standing_days.day`.execute(trx);
  for (const { day, skipped, wallets, standing } of rows)
    log.append({ kind: 'standing', day, found: skipped === null ? { read: wallets, standing } : null });
  const newest = rows.at(-1)?.day ?? after;
  if (newest !== null && newest < until) throw new Error(`the readings of ${until} are not closed`);
  return newest;
}

async function appendVotesFile({ trx, log, day, votesFile }: Batch): Promise<void> {
  const { hash, bytes } = await votesFile.end();
  log.append({ kind: 'file', day, hash });
  await storeVotesFile(trx, day, bytes);
}

/** Sorting pays off for a cursor that is read to its end. */
const prepare = (trx: Db): Promise<unknown> =>
  sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('cursor_tuple_fraction', '1', true)`.execute(
    trx,
  );

interface Begun extends Opinions, Span {
  day: string;
  signer: Signer;
  newest: Newest;
  /** Votes and changes of the batch. */
  votes: number;
  /** Votes of the whole log. */
  voteCount: number;
}

/**
 * Begins the batch of a day with its opinions, a transaction for each slice. The opinions of the day are complete, and each has the state that
 * the totals have counted, whatever happens to it before the batch is written.
 */
export async function beginBatch(db: Db, signer: Signer, { day, ...span }: Span & { day: string }): Promise<Begun> {
  const newest = await findNewest(db, signer);
  const log = await openLog(db, newest);
  const opinions: Opinions = { log, votesFile: createVotesFile() };
  let { voteCount } = newest;
  for (const slice of await slicesOf(db, span))
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    voteCount += await longTransaction(
      db,
      async (trx) => {
        await prepare(trx);
        return appendOpinions(trx, opinions, slice);
      },
      { isSnapshot: true },
    );
  return { ...opinions, ...span, day, signer, newest, votes: log.size - newest.size, voteCount };
}

/** Writes the batch of a day that is closed, and its checkpoint. Call in the transaction that closes the day, which has one snapshot. */
export async function writeBatch(
  trx: Db,
  { signer, newest, votes, voteCount, ...begun }: Begun,
  { anchorSender, network }: { anchorSender: string | null; network: SuiNetwork },
): Promise<void> {
  await prepare(trx);
  const batch: Batch = { trx, ...begun };
  const { log, day, until } = batch;
  const entriesOf = async (append: () => Promise<void>): Promise<number> => {
    const before = log.size;
    await append();
    return log.size - before;
  };
  let { standingDay, byHand } = newest;
  const states = await entriesOf(() => appendStates(batch));
  const projects = await entriesOf(() => appendTotals(batch));
  const others = await entriesOf(async () => {
    appendIdentity(batch, newest, anchorSender);
    byHand += await appendPayouts({ ...batch, network });
    await appendListings(batch);
    standingDay = await appendStanding(batch, standingDay);
    await appendVotesFile(batch);
    log.append(await closeOwed(trx, { day, until }, { votes: voteCount, byHand }));
  });
  log.append({ kind: 'batch', day, votes, states, projects, others });
  const root = Buffer.from(await log.finish(trx));
  const { size } = log;
  const signedNote = signCheckpoint({ origin: signer.name, size, root }, signer);
  await trx
    .insertInto('logCheckpoints')
    .values({ size, day, until, votes, standingDay, root, signedNote, anchorSender, voteCount, byHand })
    .execute();
}
