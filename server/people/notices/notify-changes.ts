import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { changeText } from '#shared/change-text.ts';
import type { IdentityField } from '#shared/identity.ts';
import { recordNotices } from '#server/books/notices.ts';
import { newestOpinion } from '#server/books/opinions.ts';
import type { Services } from '#server/kit/services.ts';

const SLICE = 5_000;
const MOST_SLICES = 200;

interface Round {
  projectId: number;
  fromNumber: number;
  afterUser: number;
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
    UPDATE change_notices n SET from_number = next_number, next_number = NULL, started_at = now(), after_user = 0
    FROM projects p WHERE p.id = n.project_id AND p.listed AND n.from_number IS NULL AND n.next_number IS NOT NULL
      AND (n.started_at IS NULL OR n.started_at <= now() - interval '1 day')`.execute(trx);
}

async function nextRound(trx: Db): Promise<Round | null> {
  const { rows } = await sql<Round>`
    SELECT project_id AS "projectId", from_number AS "fromNumber", after_user AS "afterUser" FROM change_notices
    WHERE from_number IS NOT NULL ORDER BY started_at, project_id LIMIT 1 FOR UPDATE`.execute(trx);
  return rows[0] ?? null;
}

const endRound = (trx: Db, projectId: number) =>
  sql`UPDATE change_notices SET from_number = NULL, after_user = NULL WHERE project_id = ${projectId}`.execute(trx);

function textOf({ name, what, oldName }: Told): string {
  if (what.includes('name') && oldName !== null)
    return `${oldName}, which you voted on, is now called ${name}. See what changed.`;
  return `${name}: since you voted, ${changeText({ what, name: null })}. See what changed.`;
}

/**
 * The voters among these users by the version that the newest opinion of each is about, or by that of the round where it
 * is newer. A voter whose version has the present identity, or one that was changed there and back, is left out.
 */
async function findVoters(trx: Db, { projectId, fromNumber, afterUser }: Round, last: number): Promise<Told[]> {
  const { rows } = await sql<Told>`
    SELECT array_agg(u.id) AS voters, p.name, p.slug, v.name AS "oldName", array_remove(ARRAY[
        CASE WHEN v.name <> p.name THEN 'name' END, CASE WHEN v.image_hash <> p.image_hash THEN 'picture' END,
        CASE WHEN v.twitter_handle <> p.twitter_handle THEN 'handle' END,
        CASE WHEN v.website IS DISTINCT FROM p.website THEN 'website' END], NULL) AS what
    FROM (
      SELECT s.id, greatest(${fromNumber}::int, (
        SELECT max(e.number) FROM listing_versions e WHERE e.project_id = ${projectId} AND e.created_at <= s.said_at)) AS number
      FROM (
        SELECT x.id, (SELECT n.said_at FROM ${newestOpinion(sql`x.id`, projectId)} n)
        FROM users x WHERE x.id > ${afterUser} AND x.id <= ${last}
      ) s WHERE s.said_at IS NOT NULL
    ) u
    JOIN listing_versions v ON v.project_id = ${projectId} AND v.number = u.number
    JOIN projects p ON p.id = v.project_id
    GROUP BY v.project_id, v.number, p.id ORDER BY v.number`.execute(trx);
  return rows.filter(({ what }) => what.length > 0);
}

async function tellSlice(db: Db): Promise<boolean> {
  return longTransaction(db, async (trx) => {
    const round = await nextRound(trx);
    if (round === null) return false;
    const { projectId, afterUser } = round;
    const { rows } = await sql<{ last: number | null }>`
      SELECT max(id) AS last FROM (SELECT id FROM users WHERE id > ${afterUser} ORDER BY id LIMIT ${SLICE}) s`.execute(
      trx,
    );
    const last = rows[0]?.last ?? null;
    if (last === null) {
      await endRound(trx, projectId);
      return true;
    }
    const notices = (await findVoters(trx, round, last)).flatMap((told) => {
      const link = `/projects/${encodeURIComponent(told.slug)}`;
      return told.voters.map((userId) => ({ userId, kind: 'listing_changed' as const, text: textOf(told), link }));
    });
    await recordNotices(trx, ...notices);
    await sql`UPDATE change_notices SET after_user = ${last} WHERE project_id = ${projectId}`.execute(trx);
    return true;
  });
}

/** In slices that continue where the last run ended (R60). */
export async function tellChanges({ db }: Pick<Services, 'db'>): Promise<void> {
  await beginRounds(db);
  for (let slice = 0; slice < MOST_SLICES; slice += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    if (!(await tellSlice(db))) return;
  }
}
