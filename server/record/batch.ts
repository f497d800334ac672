import { sql } from 'kysely';
import type { Span } from '#server/books/opinions.ts';
import type { Db } from '#db/client.ts';
import { signCheckpoint } from '#record/log/checkpoint.ts';
import { emptyRoot, type Hash } from '#record/log/hashes.ts';
import type { Signer } from '#record/log/note.ts';
import { toBase64Url } from '#record/entries/base64url.ts';
import { RECORD_FORMAT } from '#record/entries/entries.ts';
import { storeProof, sumLedger, writeLiabilities } from './liabilities.ts';
import { openStored } from './notes.ts';
import { insertLateSecrets, type Counted, type OpinionRow, readChanges, readOpinions, storeStates } from './states.ts';
import { openTotals, type Totals } from './totals.ts';
import { appendListings } from './others.ts';
import { addEarlier, createVotesFile, storeVotesFile, type VotesFile } from './votes-file.ts';
import { type LogWriter, openLog } from './writer.ts';

interface Batch extends Span {
  trx: Db;
  day: string;
  /** The batch ends with its day. */
  isWholeDay: boolean;
  log: LogWriter;
  /** The file of the day's votes, where the batch ends the day. */
  votesFile: VotesFile | null;
}

interface Newest {
  size: number;
  root: Hash;
  standingDay: string | null;
  anchorSender: string | null;
}

/**
 * The end of the log by its newest signed note, so that no new signature contradicts it (C2SP tlog-checkpoint).
 * @throws when LOG_PRIVATE_KEY is not the key that has signed the log so far, or the row differs from its note
 */
async function findNewest(trx: Db, signer: Signer): Promise<Newest> {
  const newest = await trx
    .selectFrom('logCheckpoints')
    .select(['size', 'root', 'signedNote', 'anchorSender'])
    .select(sql<string | null>`standing_day::text`.as('standingDay'))
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!newest) return { size: 0, root: emptyRoot(), standingDay: null, anchorSender: null };
  openStored(newest, signer);
  return newest;
}

/** The part of the totals that a change replaces: the opinion before it in this batch, else that of the earlier batches. */
function replacedBy(change: OpinionRow, before: OpinionRow | null): Counted {
  const isSameVote =
    before?.projectId === change.projectId &&
    before.period === change.period &&
    before.pseudonym.equals(change.pseudonym);
  if (isSameVote) return { bullish: before.bullish, state: before.state };
  const { wasBullish: bullish, wasState: state } = change;
  if (bullish === null || state === null) throw new Error('a change follows a vote that is not recorded');
  return { bullish, state };
}

async function appendOpinions({ trx, log, votesFile, ...span }: Batch, totals: Totals): Promise<void> {
  let last: OpinionRow | null = null;
  for await (const rows of readOpinions(trx, span)) {
    for (const row of rows) {
      const { kind, day, projectId, period, bullish, identity, state } = row;
      const entry = { kind, day, projectId, period, bullish, identity, state, pseudonym: toBase64Url(row.pseudonym) };
      log.append(entry);
      // oxlint-disable-next-line no-await-in-loop -- the file keeps the order of the record
      await votesFile?.add(entry);
      if (row.kind === 'change') totals.remove({ ...row, ...replacedBy(row, last) });
      totals.add(row);
      last = row;
    }
    await log.flush();
  }
}

async function appendStates({ trx, log, day, ...span }: Batch, totals: Totals): Promise<void> {
  for await (const rows of readChanges(trx, span)) {
    for (const { pseudonym, was, bullish, ...change } of rows) {
      log.append({ kind: 'state', day, ...change, pseudonym: toBase64Url(pseudonym) });
      totals.remove({ ...change, bullish, state: was });
      totals.add({ ...change, bullish });
    }
    await log.flush();
  }
}

async function appendTotals({ log, day }: Batch, totals: Totals): Promise<void> {
  for (const project of totals.changed()) log.append({ kind: 'project', day, ...project });
  await log.flush();
  await totals.store();
}

/** The format in the first batch, and the wallet that anchors in the first one and at each change. */
function appendIdentity({ log, day }: Batch, before: Newest, anchorSender: string | null): void {
  const isFirst = before.size === 0;
  if (isFirst) log.append({ kind: 'format', day, version: RECORD_FORMAT });
  if (isFirst || before.anchorSender !== anchorSender) log.append({ kind: 'anchor', day, sender: anchorSender });
}

/** Results of the readings of the days closed since, up to the batch's own; returns the newest such day. */
async function appendStanding(
  { trx, log, day: until, isWholeDay }: Batch,
  after: string | null,
): Promise<string | null> {
  const { rows } = await sql<{ day: string; skipped: string | null; wallets: number; standing: number }>`
    SELECT day::text AS day, skipped, wallets, standing FROM standing_days
    WHERE day > ${after ?? '-infinity'}::date AND day <= ${until}::date ORDER BY standing_days.day`.execute(trx);
  for (const { day, skipped, wallets, standing } of rows)
    log.append({ kind: 'standing', day, found: skipped === null ? { read: wallets, standing } : null });
  const newest = rows.at(-1)?.day ?? after;
  if (isWholeDay && newest !== null && newest < until) throw new Error(`the readings of ${until} are not closed`);
  return newest;
}

/** The file of a day, with the votes of its earlier batches. */
async function openVotesFile(trx: Db, day: string, size: number): Promise<VotesFile> {
  const { rows } = await sql<{ from: number }>`
    SELECT coalesce(max(size), 0) AS from FROM log_checkpoints WHERE day < ${day}::date`.execute(trx);
  const file = createVotesFile();
  await addEarlier(trx, file, { from: rows[0]?.from ?? 0, size });
  return file;
}

async function appendVotesFile({ trx, log, day, votesFile }: Batch): Promise<void> {
  if (!votesFile) return;
  const { hash, bytes } = await votesFile.end();
  log.append({ kind: 'file', day, hash });
  await storeVotesFile(trx, day, bytes);
}

/** Writes a batch and its checkpoint; returns the size of the log. Call in a transaction with one snapshot. */
export async function writeBatch(
  trx: Db,
  { signer, anchorSender }: { signer: Signer; anchorSender: string | null },
  { since, until }: Span,
): Promise<number> {
  // Sorting pays off for a cursor that is read to its end.
  await sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('cursor_tuple_fraction', '1', true)`.execute(
    trx,
  );
  const newest = await findNewest(trx, signer);
  const { rows } = await sql<Pick<Batch, 'day' | 'isWholeDay'>>`
    SELECT to_char((${until}::timestamptz - interval '1 microsecond') AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
      ${until}::timestamptz = date_trunc('day', ${until}::timestamptz, 'UTC') AS "isWholeDay"`.execute(trx);
  const { day, isWholeDay } = rows[0] ?? { day: '', isWholeDay: false };
  await insertLateSecrets(trx);
  const log = await openLog(trx, newest);
  const votesFile = isWholeDay ? await openVotesFile(trx, day, newest.size) : null;
  const batch: Batch = { trx, since, until, day, isWholeDay, log, votesFile };
  const totals = await openTotals(trx);
  const entriesOf = async (append: () => Promise<void>): Promise<number> => {
    const before = log.size;
    await append();
    return log.size - before;
  };
  const votes = await entriesOf(() => appendOpinions(batch, totals));
  const states = await entriesOf(() => appendStates(batch, totals));
  await storeStates(trx, batch);
  const projects = await entriesOf(() => appendTotals(batch, totals));
  const liabilities = await writeLiabilities(trx, day);
  const ledger = await sumLedger(trx);
  const { granted, burned, paid } = ledger;
  let { standingDay } = newest;
  const others = await entriesOf(async () => {
    appendIdentity(batch, newest, anchorSender);
    await appendListings(batch);
    standingDay = await appendStanding(batch, standingDay);
    await appendVotesFile(batch);
    log.append({ kind: 'supply', day, granted, burned, paid });
    log.append(liabilities);
  });
  log.append({ kind: 'batch', day, votes, states, projects, others });
  const root = Buffer.from(await log.finish());
  const { size } = log;
  const signedNote = signCheckpoint({ origin: signer.name, size, root }, signer);
  await trx
    .insertInto('logCheckpoints')
    .values({ size, day, until, votes, standingDay, root, signedNote, anchorSender })
    .execute();
  // The proof comes right before the batch's own entry.
  await storeProof(trx, { size, entryIndex: size - 2, ...ledger }, liabilities);
  return size;
}
