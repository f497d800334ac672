import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { changeText, type IdentityField } from '#shared/identity.ts';
import { recordNotices } from '../notices/record.ts';
import type { Services } from '../services.ts';

/** Users that one statement looks at: votes are found by their user, not by their project. */
const SLICE = 5_000;
/** Slices of one run, so that other work gets its turn. */
const MOST_SLICES = 200;

interface Round {
  projectId: number;
  until: string;
  afterUser: number;
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
    UPDATE change_notices n SET from_number = next_number, next_number = NULL, started_at = now(), after_user = 0,
      until = (SELECT v.created_at FROM listing_versions v WHERE v.project_id = n.project_id AND v.number = n.next_number + 1)
    FROM projects p WHERE p.id = n.project_id AND p.listed AND n.from_number IS NULL AND n.next_number IS NOT NULL
      AND (n.started_at IS NULL OR n.started_at <= now() - interval '1 day')`.execute(trx);
}

/** The oldest open round, with the fields that differ between the version before it and the present one; locked. */
async function nextRound(trx: Db): Promise<Round | null> {
  const { rows } = await sql<Round>`
    SELECT n.project_id AS "projectId", n.until::text AS until, n.after_user AS "afterUser", p.name, p.slug, v.name AS "oldName",
      array_remove(ARRAY[
        CASE WHEN v.name <> p.name THEN 'name' END, CASE WHEN v.image_hash <> p.image_hash THEN 'picture' END,
        CASE WHEN v.twitter_handle <> p.twitter_handle THEN 'handle' END,
        CASE WHEN v.website IS DISTINCT FROM p.website THEN 'website' END], NULL) AS what
    FROM change_notices n JOIN projects p ON p.id = n.project_id
    JOIN listing_versions v ON v.project_id = n.project_id AND v.number = n.from_number
    WHERE n.from_number IS NOT NULL ORDER BY n.started_at, n.project_id LIMIT 1 FOR UPDATE OF n`.execute(trx);
  return rows[0] ?? null;
}

const endRound = (trx: Db, projectId: number) =>
  sql`UPDATE change_notices SET from_number = NULL, until = NULL, after_user = NULL WHERE project_id = ${projectId}`.execute(
    trx,
  );

function textOf({ name, what, oldName }: Round): string {
  if (what.includes('name') && oldName !== null)
    return `${oldName}, which you voted on, is now called ${name}. See what changed.`;
  return `${name}: since you voted, ${changeText({ what, name: null })}. See what changed.`;
}

/** Looks at the next users, and tells those who voted before the changes; false where no round is left. */
async function tellSlice(db: Db): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const round = await nextRound(trx);
    if (round === null) return false;
    const { projectId, afterUser, until } = round;
    const { rows } = await sql<{ last: number | null; voters: number[] }>`
      WITH slice AS MATERIALIZED (SELECT id FROM users WHERE id > ${afterUser} ORDER BY id LIMIT ${SLICE})
      SELECT max(s.id) AS last, coalesce(array_agg(s.id) FILTER (WHERE (
          SELECT max(o.said_at) FROM opinions o WHERE o.user_id = s.id AND o.project_id = ${projectId}) < ${until}::timestamptz), '{}') AS voters
      FROM slice s`.execute(trx);
    const { last = null, voters = [] } = rows[0] ?? {};
    // Changed there and back: there is nothing to tell.
    if (last === null || round.what.length === 0) {
      await endRound(trx, projectId);
      return true;
    }
    const text = textOf(round);
    const link = `/projects/${encodeURIComponent(round.slug)}`;
    await recordNotices(trx, ...voters.map((userId) => ({ userId, kind: 'listing_changed' as const, text, link })));
    await sql`UPDATE change_notices SET after_user = ${last} WHERE project_id = ${projectId}`.execute(trx);
    return true;
  });
}

/**
 * Tells the voters of a listing that its name, picture, handle or website changed (R60), in slices that continue where
 * the last run ended.
 */
export async function tellChanges({ db }: Pick<Services, 'db'>): Promise<void> {
  await beginRounds(db);
  for (let slice = 0; slice < MOST_SLICES; slice += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    if (!(await tellSlice(db))) return;
  }
}
