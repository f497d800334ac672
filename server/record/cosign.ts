import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import {
  formatAddCheckpoint,
  MAX_ADD_CHECKPOINT_BYTES,
  parseSize,
  SIZE_CONTENT_TYPE,
} from '#record/log/add-checkpoint.ts';
import { isDated, openCosignatures } from '#record/log/cosignature.ts';
import { NoteError } from '#record/log/note.ts';
import { tilePath, treeOf } from '#record/log/tiles.ts';
import type { Witness } from '#server/kit/config.ts';
import type { Services } from '#server/kit/services.ts';

const ROUND = 10;
const TIMEOUT_MS = 10_000;

interface Note {
  size: number;
  signedNote: string;
}

/** Checkpoints that a witness has not cosigned, oldest first; only the newest where it has cosigned none. */
async function findOpen(db: Db, name: string): Promise<{ last: number; notes: Note[] }> {
  const newest = await db
    .selectFrom('logCosignatures')
    .select(({ fn }) => fn.max('size').as('size'))
    .where('witness', '=', name)
    .executeTakeFirst();
  const last = newest?.size ?? null;
  const rows = db.selectFrom('logCheckpoints').select(['size', 'signedNote']);
  const notes =
    last === null
      ? await rows.orderBy('size', 'desc').limit(1).execute()
      : await rows.where('size', '>', last).orderBy('size').limit(ROUND).execute();
  return { last: last ?? 0, notes };
}

async function proofBetween(db: Db, oldSize: number, size: number) {
  if (oldSize === 0 || oldSize === size) return [];
  const tree = treeOf(size, async (tile) => {
    const { bytes } = await db
      .selectFrom('logFiles')
      .select('bytes')
      .where('path', '=', tilePath(tile))
      .executeTakeFirstOrThrow();
    return bytes;
  });
  return tree.consistencyProof(oldSize);
}

/** The text of a response, at most as long as one may be. @throws Error for a longer one */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > MAX_ADD_CHECKPOINT_BYTES) throw new Error('the response is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function post(url: string, body: string): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(`${url}/add-checkpoint`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await textOf(response),
  };
}

/** The witness reports its own size where it differs from ours. @throws Error with the reason for a rejection */
async function requestLine(
  db: Db,
  { verifier, url }: Witness,
  { size, signedNote }: Note,
  last: number,
): Promise<string> {
  const send = async (oldSize: number) =>
    post(url, formatAddCheckpoint({ oldSize, proof: await proofBetween(db, oldSize, size), note: signedNote }));
  let response = await send(last);
  if (response.status === 409 && response.type.startsWith(SIZE_CONTENT_TYPE)) {
    const known = parseSize(response.text.trimEnd());
    if (known > size) throw new Error(`it has seen ${known} entries, this checkpoint has ${size}`);
    if (known !== last) response = await send(known);
  }
  if (response.status !== 200)
    throw new Error(`it responds with ${response.status}: ${response.text.slice(0, 200).trim()}`);
  const [cosignature] = openCosignatures(signedNote + response.text, [verifier]);
  const line = response.text.split('\n').find((one) => one.startsWith(`\u2014 ${verifier.name} `));
  if (!cosignature || line === undefined) throw new NoteError('its response has no cosignature of its key');
  if (!isDated(cosignature, Date.now())) throw new NoteError('the time of its cosignature has not come yet');
  return `${line}\n`;
}

/**
 * Asks each witness of LOG_WITNESSES for its cosignatures (R65). A witness that is down is asked again in the next
 * round.
 */
export async function cosignCheckpoints({ db, log, config }: Services): Promise<void> {
  await Promise.all(
    config.logWitnesses.map(async (witness) => {
      const { name } = witness.verifier;
      const { last, notes } = await findOpen(db, name);
      let known = last;
      try {
        for (const note of notes) {
          const line = await requestLine(db, witness, note, known);
          await db
            .insertInto('logCosignatures')
            .values({ size: note.size, witness: name, line })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          known = note.size;
        }
      } catch (error) {
        log.warn({ err: error, witness: name }, 'a witness has not cosigned the record yet');
      }
    }),
  );
}

export const cosignedNote = sql<string>`c.signed_note || coalesce(
  (SELECT string_agg(s.line, '' ORDER BY s.created_at, s.witness) FROM log_cosignatures s WHERE s.size = c.size), '')`;
