import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { CoinSource } from '#db/schema.ts';
import { LISTING_DAYS } from '#shared/constants.ts';
import { formatSui } from '#shared/money/money.ts';
import { recordActivity } from '#server/books/activity.ts';
import { lookAlikeKeys } from '#server/listings/projects/look-alike-keys.ts';
import { endMark, lockListing, markName, remark } from '#server/listings/projects/marks.ts';
import { isChangedOften } from '#server/listings/versions/limit.ts';
import { chooseSlug, isNameTaken, isSlugOf, lockNames } from '#server/listings/projects/slugs.ts';
import {
  type Buyer,
  CannotApplyError,
  MAX_PAID_PERIODS,
  NAME_TAKEN,
  type Order,
  type ProjectRecord,
  type Receipt,
} from './order.ts';

/**
 * The only place that lists, changes or renews a project; runs in the caller's transaction and returns the project's
 * id. @throws CannotApplyError
 */
export async function applyOrder(trx: Db, order: Order, buyer: Buyer, receipt: Receipt | null): Promise<number> {
  if (order.purpose === 'submit') return submit(trx, order.draft, buyer, receipt);
  const project = await lockProject(trx, order.projectId, buyer);
  if (!buyer.isAdmin) await requireNoClaim(trx, project.id);
  if (order.purpose === 'update') return update(trx, project, order.draft, buyer, receipt);
  return renew(trx, project, buyer, receipt);
}

interface LockedProject {
  id: number;
  slug: string;
  name: string;
  coinType: string | null;
  packageId: string | null;
  coinSource: CoinSource;
  periods: number;
}

async function lockProject(trx: Db, projectId: number, buyer: Buyer): Promise<LockedProject> {
  const project = await trx
    .selectFrom('projects')
    .select(['id', 'slug', 'name', 'coinType', 'packageId', 'coinSource', 'ownerId', 'hiddenAt'])
    .select(sql<number>`cardinality(period_starts)`.as('periods'))
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst();
  if (!project) throw new CannotApplyError('missing', 'The project no longer exists');
  if (project.ownerId !== buyer.userId && !buyer.isAdmin)
    throw new CannotApplyError('not_owner', 'The project belongs to another user');
  if (project.hiddenAt) throw new CannotApplyError('hidden', 'The project was hidden by the admin');
  return project;
}

/** Read once the listing is locked, as the claim is written. */
async function requireNoClaim(trx: Db, projectId: number): Promise<void> {
  const open = await trx
    .selectFrom('claims')
    .select('id')
    .where('projectId', '=', projectId)
    .where('decidedAt', 'is', null)
    .executeTakeFirst();
  if (open) throw new CannotApplyError('claimed', 'Another wallet claims this listing');
}

async function claimName(trx: Db, name: string, projectId: number | null): Promise<void> {
  await lockNames(trx);
  if (await isNameTaken(trx, name, projectId)) throw new CannotApplyError('name_taken', NAME_TAKEN);
}

/** A name that the admin chose needs no review. */
async function markNewName(trx: Db, projectId: number, { isAdmin }: Buyer): Promise<void> {
  if (!isAdmin) return markName(trx, projectId);
  const listing = await lockListing(trx, projectId);
  if (listing) await endMark(trx, listing);
}

const NAMED = ['coinType', 'packageId'] as const;

/**
 * A coin or package that the admin sets counts as set by a moderator (R71). The source is that of both, so it remains the lister's while one of them is
 * what the lister typed.
 */
function coinSourceOf(draft: Partial<ProjectRecord>, { isAdmin }: Buyer, before: Partial<LockedProject> = {}) {
  if (!NAMED.some((field) => draft[field] !== undefined && draft[field] !== (before[field] ?? null))) return {};
  const keepsTyped =
    before.coinSource === 'lister' &&
    NAMED.some((field) => draft[field] === undefined && (before[field] ?? null) !== null);
  return { coinSource: isAdmin && !keepsTyped ? ('moderator' as const) : ('lister' as const) };
}

/** A coin that the admin names turns control into a proof, and only one listing of a coin can be proven (R72). */
async function requireUnproven(trx: Db, { id, ...before }: LockedProject, draft: Partial<ProjectRecord>) {
  const { coinType, packageId } = { ...before, ...draft };
  const { rows } = await sql`
    SELECT FROM ownerships own JOIN ownerships other ON other.subject = own.subject AND other.project_id <> own.project_id
    WHERE own.project_id = ${id} AND own.state = 'controls' AND other.state IN ('proven', 'accepted')
      AND own.subject IN (coalesce(original_of(${coinType}::text), ''), coalesce(original_of(${packageId}::text), ''))`.execute(
    trx,
  );
  if (rows.length > 0)
    throw new CannotApplyError('proven_elsewhere', 'Ownership of this coin or package is proven for another listing');
}

async function submit(trx: Db, draft: ProjectRecord, buyer: Buyer, receipt: Receipt | null): Promise<number> {
  await claimName(trx, draft.name, null);
  const slug = await chooseSlug(trx, draft.name);
  const { id } = await trx
    .insertInto('projects')
    .values({
      ...draft,
      ...coinSourceOf(draft, buyer),
      slug,
      lookAlikeKeys: lookAlikeKeys(draft.name),
      ownerId: buyer.userId,
      transactionHash: receipt?.digest ?? null,
      expiresAt: sql`now() + make_interval(days => ${LISTING_DAYS})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx.insertInto('projectStats').values({ projectId: id }).execute();
  await markNewName(trx, id, buyer);
  await note(trx, buyer, receipt, 'project_submitted', `${isolated(draft.name)} is listed for ${LISTING_DAYS} days`);
  return id;
}

async function update(
  trx: Db,
  project: LockedProject,
  changes: Partial<ProjectRecord>,
  buyer: Buyer,
  receipt: Receipt | null,
): Promise<number> {
  if (await isChangedOften(trx, project.id))
    throw new CannotApplyError('changed_often', 'The listing was changed too often within a day');
  const source = coinSourceOf(changes, buyer, project);
  if (source.coinSource === 'moderator') await requireUnproven(trx, project, changes);
  if (changes.name !== undefined) await claimName(trx, changes.name, project.id);
  const keys = lookAlikeKeys(changes.name ?? project.name);
  const renamed = changes.name !== undefined && !isSlugOf(project.slug, changes.name);
  const slug = renamed ? await chooseSlug(trx, changes.name ?? '', project.id) : project.slug;
  await trx
    .updateTable('projects')
    .set({
      ...changes,
      ...source,
      slug,
      lookAlikeKeys: keys,
    })
    .where('id', '=', project.id)
    .execute();
  const former = lookAlikeKeys(project.name);
  // Another spelling of a name that was looked at is not marked again.
  if (!keys.every((key) => former.includes(key))) await markNewName(trx, project.id, buyer);
  if (changes.name !== undefined) await remark(trx, project.id);
  await note(trx, buyer, receipt, 'project_updated', `${isolated(changes.name ?? project.name)} was updated`);
  return project.id;
}

async function renew(trx: Db, project: LockedProject, buyer: Buyer, receipt: Receipt | null): Promise<number> {
  if (project.periods >= MAX_PAID_PERIODS)
    throw new CannotApplyError('full', 'The project cannot be listed for longer');
  await trx
    .updateTable('projects')
    .set({
      // An early renewal does not lose the remaining time of the listing (R19).
      expiresAt: sql`greatest(now(), expires_at) + make_interval(days => ${LISTING_DAYS})`,
      // The next listing period begins where the present one ends (R45), and after all others, whatever value
      // expires_at was set to by hand.
      periodStarts: sql`period_starts || greatest(now(), expires_at, period_starts[cardinality(period_starts)] + interval '1 microsecond')`,
    })
    .where('id', '=', project.id)
    .execute();
  await note(trx, buyer, receipt, 'project_renewed', `${isolated(project.name)} was extended by ${LISTING_DAYS} days`);
  return project.id;
}

async function note(
  trx: Db,
  { userId }: Buyer,
  receipt: Receipt | null,
  kind: 'project_submitted' | 'project_updated' | 'project_renewed',
  what: string,
): Promise<void> {
  const price = receipt ? `${formatSui(receipt.amountMist)} SUI paid` : 'free for the admin';
  const { amountMist = null, digest = null } = receipt ?? {};
  await recordActivity(trx, { userId, kind, text: `${what}: ${price}`, amountMist, digest });
}
