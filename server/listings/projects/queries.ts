import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { FEED_LIMIT } from '#shared/constants.ts';
import type { LeaderboardRow, OwnProject } from '#shared/contract/projects.ts';
import type { ListingFee } from '#shared/contract/standing.ts';
import type { ReasonFigures, Project } from '#shared/contract/types.ts';
import { type IdentityChange, mentionedChange, verifiedSince, votesSinceLast } from '#shared/listings/identity.ts';
import { NOW_MIN_VOTES, type VoteCounts } from '#shared/numbers/interval.ts';
import { projectTextFields } from '#shared/listings/project-fields.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { rankAt, type Ranking, rankRows, votesForRank } from '#shared/figures/sorts.ts';
import { newestReasons } from './reasons.ts';
import { imageUrl } from '#server/kit/image-url.ts';
import { publicWallet } from '#server/kit/public-user.ts';
import { listingFee } from './listing-fee.ts';
import { toAppeal } from './appeal.ts';
import { shownTexts } from './withheld.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';

const periodEnd = sql<Date>`least(projects.period_starts[period_at(projects.period_starts, now()) + 1], projects.expires_at)`;

export const identityChanges = sql<IdentityChange[] | null>`json_agg(json_build_object(
  'changedAt', to_char(c.changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'what', c.what,
  'oldName', nullif(c.old_name, projects.name), 'votesBefore', c.votes_before, 'bullish', c.bullish, 'bearish', c.bearish) ORDER BY c.identity)`;

export function projectRows(db: Db) {
  return db
    .selectFrom('projects')
    .innerJoin('users', 'users.id', 'projects.ownerId')
    .leftJoin('projectStats', 'projectStats.projectId', 'projects.id')
    .leftJoin('verifiedStats', 'verifiedStats.projectId', 'projects.id')
    .leftJoin('ownerships', 'ownerships.projectId', 'projects.id')
    .select([
      'projects.id',
      'projects.slug',
      ...projectTextFields.map((field) => `projects.${field}` as const),
      'projects.imageHash',
      'projects.ownerId',
      'users.walletAddress as submittedBy',
      'projects.transactionHash',
      'projects.createdAt',
      'projects.expiresAt',
      'projects.hiddenAt',
      'projects.hiddenReason',
      'projects.isCatalogue',
      'projects.coinSource',
      'projects.takenOverAt',
      'ownerships.state as ownership',
      'ownerships.subject',
      'ownerships.since as ownershipSince',
      sql<LookAlikeName | null>`(SELECT json_build_object('slug', o.slug, 'name', o.name,
          'since', to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        FROM projects o WHERE o.id = projects.look_alike_of)`.as('lookAlike'),
      sql<Project['listing']['claim'] | null>`(SELECT json_build_object('isAnswered', c.answered_at IS NOT NULL,
          'since', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        FROM claims c WHERE c.project_id = projects.id AND c.decided_at IS NULL)`.as('claim'),
      sql<number>`period_at(projects.period_starts, now())`.as('period'),
      periodEnd.as('periodEndsAt'),
      sql<number>`cardinality(projects.period_starts)`.as('periods'),
      sql<number>`coalesce(project_stats.bullish, 0)`.as('bullish'),
      sql<number>`coalesce(project_stats.bearish, 0)`.as('bearish'),
      sql<number>`least(coalesce(verified_stats.bullish, 0), coalesce(project_stats.bullish, 0))`.as('verifiedBullish'),
      sql<number>`least(coalesce(verified_stats.bearish, 0), coalesce(project_stats.bearish, 0))`.as('verifiedBearish'),
      sql<number>`coalesce(verified_stats.excluded_since, 0)`.as('excludedSince'),
      sql<string | null>`(SELECT CASE WHEN c.until > projects.created_at THEN c.day::text END
        FROM (SELECT day, until FROM closed_days ORDER BY day DESC LIMIT 1) c)`.as('figuresOn'),
      'projects.version as listingVersion',
      'projects.identity',
      sql<IdentityChange[] | null>`CASE WHEN projects.identity > 1
        THEN (SELECT ${identityChanges} FROM open_identity_changes c WHERE c.project_id = projects.id) END`.as(
        'identityChanges',
      ),
    ]);
}
type LookAlikeName = NonNullable<Project['listing']['lookAlike']>;

export type ProjectRow = Awaited<ReturnType<ReturnType<typeof projectRows>['execute']>>[number] & {
  /** Opinions of the last 30 days (R58); null: too few, undefined: not read. */
  now?: VoteCounts | null;
};

export function changedOf(votes: VoteCounts, verified: VoteCounts, changes: readonly IdentityChange[]) {
  const changed = mentionedChange(votes, changes);
  const since = verifiedSince(verified, changes);
  const rankVotes = votesSinceLast(changes);
  return {
    ...(changed && { changed }),
    ...(since && { verifiedSince: since }),
    ...(rankVotes !== undefined && { rankVotes }),
  };
}

export function listingOf(row: ProjectRow): Project['listing'] {
  const isProven = row.ownership !== null;
  return {
    source: row.isCatalogue ? 'catalogue' : row.transactionHash === null ? 'free' : 'paid',
    since: row.createdAt.toISOString(),
    coinSource: row.coinType === null && row.packageId === null ? null : row.coinSource,
    ownership: row.ownership ?? (row.isCatalogue ? 'unclaimed' : 'none'),
    subject: isProven ? row.subject : null,
    ownershipSince: isProven ? (row.ownershipSince?.toISOString() ?? null) : null,
    ...(row.lookAlike && { lookAlike: row.lookAlike }),
    ...(row.claim && { claim: row.claim }),
    ...(row.takenOverAt && { takenOverAt: row.takenOverAt.toISOString() }),
  };
}

export type FoundProject = ProjectRow & {
  now: VoteCounts | null;
  reasons: ReasonFigures[];
};

type StoredVotes = Pick<ProjectRow, 'bullish' | 'bearish' | 'verifiedBullish' | 'verifiedBearish'>;
export const votesOf = ({ bullish, bearish, verifiedBullish, verifiedBearish }: StoredVotes) => ({
  votes: { bullish, bearish },
  verified: { bullish: verifiedBullish, bearish: verifiedBearish },
});

export function toProject(row: ProjectRow): Project {
  const { description, twitterHandle, website } = shownTexts(row);
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    category: row.category,
    description,
    imageUrl: imageUrl(row.imageHash),
    twitterHandle,
    website,
    coinType: row.coinType,
    packageId: row.packageId,
    identity: row.identity,
    submittedBy: publicWallet(row.submittedBy),
    transactionHash: row.transactionHash,
    listing: listingOf(row),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    period: row.period,
    periodEndsAt: row.periodEndsAt.toISOString(),
    bullishCount: row.bullish,
    bearishCount: row.bearish,
    totalVotes: row.bullish + row.bearish,
    verified: { bullish: row.verifiedBullish, bearish: row.verifiedBearish },
    figuresOn: row.figuresOn,
    ...(row.now !== undefined && { now: row.now }),
    ...changedOf(row, { bullish: row.verifiedBullish, bearish: row.verifiedBearish }, row.identityChanges ?? []),
  };
}

/** A project with the fields that feeds leave out. */
const toShown = (row: ProjectRow & { now: VoteCounts | null }) => ({
  ...toProject(row),
  ...(row.excludedSince > 0 && { excludedSince: row.excludedSince }),
});

export const toProjectPage = (row: FoundProject) => ({
  ...toShown(row),
  now: row.now,
  reasons: row.reasons,
  bullishPercentage: bullishPercentage(row.bullish, row.bearish),
  hidden: row.hiddenAt !== null,
  changes: row.listingVersion - 1,
});

const newestNow = sql<VoteCounts | null>`(SELECT CASE WHEN n.bullish + n.bearish >= ${NOW_MIN_VOTES}
    THEN json_build_object('bullish', n.bullish, 'bearish', n.bearish) END
  FROM (SELECT d.now_bullish AS bullish, d.now_bearish AS bearish FROM project_days d WHERE d.project_id = projects.id ORDER BY d.day DESC LIMIT 1) n)`.as(
  'now',
);

const active = sql<boolean>`projects.listed AND projects.expires_at > now()`;

export async function listActive(db: Db, limit?: number): Promise<Project[]> {
  const rows = await projectRows(db)
    .select(newestNow)
    .where(active)
    .orderBy(sql`coalesce(project_stats.bullish + project_stats.bearish, 0)`, 'desc')
    .orderBy('projects.id', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map(toShown);
}

export async function countActive(db: Db): Promise<{ count: number; firstEnd: Date | null }> {
  return db
    .selectFrom('projects')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<Date | null>(periodEnd).as('firstEnd')])
    .where(active)
    .executeTakeFirstOrThrow();
}

const today = sql<number>`extract(epoch FROM now())::bigint / 86400`;

/** The feed of R11: 50 projects and their total. The walk of feed_of takes steps of different lengths, so a separate hash decides the order. */
export async function listFeed(db: Db, userId: number, day = today): Promise<{ projects: Project[]; total: number }> {
  const feed = sql<{ id: number; total: number }>`feed_of(${userId}, ${day}, ${FEED_LIMIT})`.as<'feed'>(
    sql.ref('feed'),
  );
  const rows = await projectRows(db)
    .innerJoin(feed, 'feed.id', 'projects.id')
    .select('feed.total')
    .orderBy(sql`hashint8extended(projects.id, hashint8extended(${userId}, ${day}))`)
    .execute();
  return { projects: rows.map(toProject), total: rows[0]?.total ?? 0 };
}

export async function resolveProjectId(db: Db, ref: string): Promise<number | null> {
  if (/^\d{1,15}$/.test(ref)) return Number(ref);
  const row = await db
    .selectFrom('projectSlugs')
    .select('projectId')
    .where('slug', '=', ref.toLowerCase())
    .executeTakeFirst();
  return row?.projectId ?? null;
}

/** '7' for '007': the key of cached values. */
export const canonicalRef = (ref: string): string => (/^\d{1,15}$/.test(ref) ? String(Number(ref)) : ref.toLowerCase());

export async function findProjects(db: Db, ids: readonly number[]): Promise<ProjectRow[]> {
  if (ids.length === 0) return [];
  const rows = await projectRows(db).where('projects.id', 'in', ids).execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

export async function findProject(db: Db, ref: string): Promise<FoundProject | null> {
  const id = await resolveProjectId(db, ref);
  if (id === null) return null;
  return (await findProjectPages(db, [id]))[0] ?? null;
}

/** Pages of these projects, in no particular order. */
export async function findProjectPages(db: Db, ids: readonly number[]): Promise<FoundProject[]> {
  if (ids.length === 0) return [];
  const rows = projectRows(db).select([newestNow, newestReasons.as('reasons')]);
  return rows.where('projects.id', 'in', ids).execute();
}

const fee = listingFee(sql.ref('projects.id'));

const refundOf = (paid: ListingFee | null): OwnProject['refund'] =>
  paid?.refundedMist && paid.refundTransactionHash
    ? { amountMist: paid.refundedMist, transactionHash: paid.refundTransactionHash }
    : null;

interface AppealColumns {
  ownerId: number;
  appealId: number | null;
  appealedBy: number | null;
  text: string | null;
  appealedAt: Date | null;
  answer: string | null;
  answeredAt: Date | null;
}

function ownAppeal({
  ownerId,
  appealId,
  appealedBy,
  text,
  appealedAt,
  ...answer
}: AppealColumns): OwnProject['appeal'] {
  if (appealId === null || text === null || appealedAt === null || appealedBy !== ownerId) return null;
  return toAppeal({ id: appealId, text, createdAt: appealedAt, answer: answer.answer, answeredAt: answer.answeredAt });
}

export async function listOwned(db: Db, ownerId: number, page: PageQuery): Promise<Page<OwnProject>> {
  const rows = projectRows(db)
    .leftJoin('appeals', 'appeals.projectId', 'projects.id')
    .select([
      'appeals.id as appealId',
      'appeals.userId as appealedBy',
      'appeals.text',
      'appeals.createdAt as appealedAt',
    ])
    .select(['appeals.answer', 'appeals.answeredAt'])
    .select(sql<ListingFee | null>`CASE WHEN projects.hidden_at IS NOT NULL THEN ${fee} END`.as('fee'))
    .where('projects.ownerId', '=', ownerId);
  return mapPage(await listById(db, { name: `projects:${ownerId}`, page, rows, id: 'projects.id' }), (row) => ({
    // Withholds nothing: owners see what they wrote.
    ...toProject(row),
    description: row.description,
    twitterHandle: row.twitterHandle,
    website: row.website,
    hiddenReason: row.hiddenAt && row.hiddenReason,
    canAppeal: row.fee !== null && row.appealId === null,
    appeal: row.hiddenAt && ownAppeal(row),
    refund: refundOf(row.fee),
  }));
}

export async function listRanked(db: Db): Promise<Ranking<LeaderboardRow>> {
  const total = sql`coalesce(project_stats.bullish, 0) + coalesce(project_stats.bearish, 0)`;
  const found = await projectRows(db)
    .select(newestNow)
    .select(sql<boolean>`projects.expires_at <= now()`.as('expired'))
    .where('projects.hiddenAt', 'is', null)
    .orderBy(sql`(${total} = 0)`)
    .orderBy(sql`project_stats.bullish::float8 / nullif(${total}, 0)`, (order) => order.desc().nullsLast())
    .orderBy(total, 'desc')
    .orderBy('projects.createdAt')
    .orderBy('projects.id')
    .execute();
  const unranked = found.map((row) => ({
    ...toShown(row),
    now: row.now,
    bullishVotes: row.bullish,
    bearishVotes: row.bearish,
    bullishPercentage: bullishPercentage(row.bullish, row.bearish),
    expired: row.expired,
  }));
  const { rows, ranked } = rankRows(unranked, votesForRank);
  return { rows: rows.map((row, index) => ({ ...row, rank: rankAt(index, { ranked }) })), ranked };
}
