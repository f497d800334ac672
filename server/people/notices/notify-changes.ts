import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { eachRow, restingRows } from '#db/each-row.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { changeText } from '#shared/listings/change-text.ts';
import type { IdentityField } from '#shared/listings/identity.ts';
import { recordEachNotice } from '#server/books/notices.ts';
import { newestOpinion, type Span, votesOn, within } from '#server/books/opinions.ts';
import type { Services } from '#server/kit/services.ts';

const PROJECT = 'changed project';
const MOST_SLICES = 200;

/** A slice of an open round: the votes of a day. */
interface Slice extends Span {
  projectId: number;
  fromNumber: number;
  isLast: boolean;
}

interface Told {
  voters: number[];
  name: string;
  slug: string;
  what: IdentityField[];
  oldName: string | null;
}

/**
 * Begins the round of each project whose identity changed since the last one, at most once a day: an owner who changes
 * a listing ten times sends one notice. Changes of a project that is not listed wait until it is.
 */
async function beginRounds(trx: Db): Promise<void> {
  await sql`
    UPDATE change_notices n SET from_number = next_number, next_number = NULL, started_at = vote_time(), read_until = p.created_at
    FROM projects p WHERE p.id = n.project_id AND p.listed AND n.from_number IS NULL AND n.next_number IS NOT NULL
      AND (n.started_at IS NULL OR n.started_at <= now() - interval '1 day')`.execute(trx);
}

async function nextProject(db: Db): Promise<number | null> {
  const { rows } = await sql<{ projectId: number }>`
    SELECT project_id AS "projectId" FROM change_notices
    WHERE from_number IS NOT NULL AND project_id <> ALL (${restingRows<number>(db, PROJECT)}::bigint[])
    ORDER BY started_at, project_id LIMIT 1`.execute(db);
  return rows[0]?.projectId ?? null;
}

/** A vote cast since the round began is about the present identity. */
async function nextSlice(trx: Db, ofProject: number): Promise<Slice | null> {
  const { rows } = await sql<Slice>`
    SELECT project_id AS "projectId", from_number AS "fromNumber", read_until::text AS since,
      least(read_until + interval '1 day', now())::text AS until, read_until + interval '1 day' >= started_at AS "isLast"
    FROM change_notices WHERE from_number IS NOT NULL AND project_id = ${ofProject} FOR UPDATE`.execute(trx);
  return rows[0] ?? null;
}

const endRound = (trx: Db, projectId: number) =>
  sql`UPDATE change_notices SET from_number = NULL, read_until = NULL WHERE project_id = ${projectId}`.execute(trx);

function textOf({ name, what, oldName }: Told): string {
  if (what.includes('name') && oldName !== null)
    return `${isolated(oldName)}, which you voted on, is now called ${isolated(name)}. See what changed.`;
  return `${isolated(name)}: since you voted, ${changeText({ what, name: null })}. See what changed.`;
}

/**
 * Voters whose newest vote on the project is in the slice, by the version that their newest opinion is about, or by that of
 * the round where it is newer. A voter whose version has the present identity, or one that was changed there and back, is left out.
 */
async function findVoters(trx: Db, { projectId, fromNumber, ...span }: Slice): Promise<Told[]> {
  const { rows } = await sql<Told>`
    SELECT array_agg(u.id) AS voters, p.name, p.slug, v.name AS "oldName", array_remove(ARRAY[
        CASE WHEN v.name <> p.name THEN 'name' END, CASE WHEN v.image_hash <> p.image_hash THEN 'picture' END,
        CASE WHEN v.twitter_handle <> p.twitter_handle THEN 'handle' END,
        CASE WHEN v.website IS DISTINCT FROM p.website THEN 'website' END], NULL) AS what
    FROM (
      SELECT s.id, greatest(${fromNumber}::int, (
        SELECT max(e.number) FROM listing_versions e WHERE e.project_id = ${projectId} AND e.created_at <= s.said_at)) AS number
      FROM (
        SELECT v.user_id AS id, n.said_at FROM ${votesOn(projectId, within(span))} v
        CROSS JOIN LATERAL ${newestOpinion(sql`v.user_id`, projectId)} n WHERE n.period = v.period
      ) s
    ) u
    JOIN listing_versions v ON v.project_id = ${projectId} AND v.number = u.number
    JOIN projects p ON p.id = v.project_id
    GROUP BY v.project_id, v.number, p.id ORDER BY v.number`.execute(trx);
  return rows.filter(({ what }) => what.length > 0);
}

async function tellSlice(db: Db, ofProject: number): Promise<void> {
  await longTransaction(db, async (trx) => {
    const slice = await nextSlice(trx, ofProject);
    if (slice === null) return;
    const { projectId, until, isLast } = slice;
    const notices = (await findVoters(trx, slice)).flatMap((told) => {
      const link = `/projects/${encodeURIComponent(told.slug)}`;
      return told.voters.map((userId) => ({ userId, kind: 'listing_changed' as const, text: textOf(told), link }));
    });
    await recordEachNotice(db, trx, notices);
    if (isLast) await endRound(trx, projectId);
    else
      await sql`UPDATE change_notices SET read_until = ${until}::timestamptz WHERE project_id = ${projectId}`.execute(
        trx,
      );
  });
}

/** Notifies voters of changed listings (R60) in slices, by the votes' time index: no index has a project's votes. Runs continue. */
export async function tellChanges({ db }: Pick<Services, 'db'>): Promise<void> {
  await beginRounds(db);
  for (let slice = 0; slice < MOST_SLICES; slice += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    const projectId = await nextProject(db);
    if (projectId === null) return;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await eachRow(db, { of: PROJECT, idOf: (id) => id }, [projectId], () => tellSlice(db, projectId));
  }
}
