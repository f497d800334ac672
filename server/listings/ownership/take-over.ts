import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CLAIM_ANSWER_DAYS, LISTING_DAYS } from '#shared/constants.ts';
import type { AdminClaim, decideClaim as Decide } from '#shared/contract/claims.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { isolated } from '#shared/text/isolated.ts';
import { type Actor, withoutWallets, writeAudit } from '#server/books/audit.ts';
import { recordNotices } from '#server/books/notices.ts';
import { conflict, forbidden, notFound, unauthorized } from '#server/kit/http/errors.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import { readReason } from '#server/kit/http/reason.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { publicWallet } from '#server/kit/public-user.ts';
import type { Services } from '#server/kit/services.ts';
import { listingFee } from '../projects/listing-fee.ts';
import { findProject, type ProjectRow } from '../projects/queries.ts';
import { askChain, lockUnchanged } from './ask-chain.ts';
import { handOver, lockClaim } from './claim.ts';
import { storeProof, withOneProof } from './store.ts';

/**
 * Claims on listings of other wallets (R72): a wallet proves the coin, the lister answers, a moderator decides. Until then orders of the
 * lister wait (server/money/orders).
 */

const CLAIMS_PER_MONTH = 3;

type Listing = Pick<ProjectRow, 'id' | 'name' | 'slug' | 'ownerId'>;

const notify = (trx: Db, { slug }: Listing, userId: number, text: string) =>
  recordNotices(trx, {
    userId,
    kind: 'listing_changed',
    text: text.slice(0, 500),
    link: `/projects/${encodeURIComponent(slug)}`,
  });

/** Expects the locks of the claimer and of the listing. @throws 409 */
export async function openClaim(trx: Db, project: Listing, userId: number): Promise<void> {
  const { rows } = await sql<{ open: boolean; recent: number }>`
    SELECT EXISTS (SELECT FROM claims WHERE project_id = ${project.id} AND decided_at IS NULL) AS open,
      (SELECT count(*)::int FROM claims WHERE user_id = ${userId} AND created_at > now() - interval '30 days') AS recent`.execute(
    trx,
  );
  if (rows[0]?.open) throw conflict('claim_open', 'A claim on this listing waits for a moderator already.');
  if ((rows[0]?.recent ?? 0) >= CLAIMS_PER_MONTH)
    throw conflict('too_many_claims', `A wallet can claim ${CLAIMS_PER_MONTH} listings of others in 30 days.`);
  await trx.insertInto('claims').values({ projectId: project.id, userId }).execute();
  const text = `A wallet that holds the coin of ${isolated(project.name)} claims this listing. You have ${CLAIM_ANSWER_DAYS} days to answer on its page. Your orders for it wait until a moderator has decided.`;
  await notify(trx, project, project.ownerId, text);
}

const isDue = sql<boolean>`(claims.answered_at IS NOT NULL OR claims.created_at <= now() - make_interval(days => ${CLAIM_ANSWER_DAYS}))`;

/** @throws 400, 403, 404, 409 */
export async function answerClaim({ db }: Services, { userId }: SessionUser, ref: string, sent: string): Promise<void> {
  const answer = readReason(sent, 'answer');
  const project = await findProject(db, ref);
  if (!project) throw notFound('project_not_found', 'Project not found');
  if (project.ownerId !== userId) throw forbidden('not_owner', 'Only the owner of the listing can answer the claim');
  const { numUpdatedRows } = await db.transaction().execute(async (trx) => {
    const lister = trx.selectFrom('users').select('id').where('id', '=', userId).where('deletedAt', 'is', null);
    if (!(await lister.forKeyShare().executeTakeFirst())) throw unauthorized('not_signed_in', 'User not logged in');
    return trx
      .updateTable('claims')
      .set({ answer, answeredAt: sql<Date>`now()` })
      .where('projectId', '=', project.id)
      .where('decidedAt', 'is', null)
      .where(sql<boolean>`NOT ${isDue}`)
      .executeTakeFirst();
  });
  if (numUpdatedRows === 0n) throw conflict('no_claim', 'No claim on this listing waits for an answer.');
}

type Rest = AdminClaim['rest'];

/** The part of the newest fee for the time left, in hundredths of a SUI, rounded down. */
const rest = sql<Rest>`(
  SELECT json_build_object('paymentId', f.fee ->> 'paymentId', 'paidBy', f.fee ->> 'paidBy', 'amountMist', f.mist::text)
  FROM (
    SELECT fee, (1e7 * floor((fee ->> 'amountMist')::numeric / 1e7
      * least(1, extract(epoch FROM projects.expires_at - now()) / ${LISTING_DAYS * 86_400}::numeric)))::bigint AS mist
    FROM (SELECT ${listingFee(sql.ref('projects.id'))} AS fee) newest
  ) f WHERE f.mist > 0 AND f.fee ->> 'refundedMist' IS NULL)`;

const refundDue = sql<Rest>`(
  SELECT json_build_object('paymentId', p.id, 'paidBy', coalesce(p.paid_by, u.wallet_address), 'amountMist', claims.refund_mist::text)
  FROM payments p JOIN users u ON u.id = p.user_id WHERE p.id = claims.refund_payment_id AND p.state = 'fulfilled')`;

const claimRows = (db: Db) =>
  db
    .selectFrom('claims')
    .innerJoin('projects', 'projects.id', 'claims.projectId')
    .innerJoin('users as claimer', 'claimer.id', 'claims.userId')
    .innerJoin('users as lister', 'lister.id', 'projects.ownerId')
    .select(['claims.id', 'claims.userId', 'claims.projectId', 'claims.createdAt', 'claims.answer', 'claims.decidedAt'])
    .select(['projects.slug', 'projects.name', 'projects.coinType', 'projects.packageId'])
    .select(['claimer.walletAddress as claimer', 'lister.walletAddress as lister', isDue.as('isDue')])
    .select(sql<Rest>`CASE WHEN claims.decided_at IS NULL THEN ${rest} ELSE ${refundDue} END`.as('rest'));

/** Open claims, and decided ones whose lister still waits for the refund. */
export const isWaiting = sql<boolean>`(claims.decided_at IS NULL
  OR EXISTS (SELECT FROM payments p WHERE p.id = claims.refund_payment_id AND p.state = 'fulfilled'))`;

export async function listClaims(db: Db, page: PageQuery): Promise<Page<AdminClaim>> {
  const rows = claimRows(db).where(isWaiting);
  const found = await listById(db, { name: 'claims', page, rows, id: 'claims.id', isOldestFirst: true });
  return mapPage(found, ({ claimer, lister, createdAt, decidedAt, ...row }) => ({
    ...row,
    claimer: publicWallet(claimer),
    lister: publicWallet(lister),
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }));
}

type Claim = Awaited<ReturnType<ReturnType<typeof claimRows>['executeTakeFirstOrThrow']>>;

async function closeClaim(trx: Db, { id }: Claim, refund: Claim['rest']): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('claims')
    .set({ answer: null, decidedAt: sql<Date>`now()` })
    .set(refund ? { refundPaymentId: refund.paymentId, refundMist: Number(refund.amountMist) } : {})
    .where('id', '=', id)
    .where('decidedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw alreadyDecided();
}
const alreadyDecided = () => conflict('wrong_state', 'This claim has already been decided');

interface Decision {
  isConfirmed: boolean;
  refund: Claim['rest'];
  reason: string;
}

async function report(trx: Db, who: Actor, claim: Claim, project: Listing, { isConfirmed, refund, reason }: Decision) {
  const name = isolated(project.name);
  const fee = isConfirmed ? (refund ? ' What is left of the fee is sent back.' : ' The fee is kept.') : '';
  const lister = isConfirmed
    ? `${name} was handed over to the wallet that holds its coin.${fee} Reason: ${reason}`
    : `The claim on ${name} was refused: ${reason}`;
  await notify(trx, project, project.ownerId, lister);
  await notify(
    trx,
    project,
    claim.userId,
    isConfirmed ? `${name} is yours: ${reason}` : `Your claim on ${name} was refused: ${reason}`,
  );
  const detail = `Claim ${claim.id} on project ${project.id} (${name}).${fee} Reason: ${withoutWallets(reason)}`;
  await writeAudit(trx, who, { action: isConfirmed ? 'claim.confirm' : 'claim.refuse', detail, outcome: 'ok' });
}

async function confirm(services: Services, who: Actor, claim: Claim, project: ProjectRow, decision: Decision) {
  const found = await askChain(services, claim.claimer, project, 'The wallet that claims it');
  const takeOver = async (trx: Db) => {
    await lockClaim(trx, project.id, claim.userId);
    await lockUnchanged(trx, project, false);
    await closeClaim(trx, claim, decision.refund);
    await handOver(trx, project, claim.userId, { coinSource: 'moderator', takenOverAt: sql<Date>`now()` });
    const proof = { projectId: project.id, state: 'proven', wallet: claim.claimer, reason: null } as const;
    await storeProof(trx, { ...proof, ...found });
    await report(trx, who, claim, project, decision);
  };
  await withOneProof(services.db.transaction().execute(takeOver));
}

/** The wallet must still hold what it has proven when it claimed. @throws 400, 403, 404, 409, 503 */
export async function decideClaim(
  services: Services,
  who: Actor,
  id: number,
  { isConfirmed, isRefunded, reason: sent }: BodyOf<typeof Decide>,
): Promise<void> {
  const reason = readReason(sent);
  const { db } = services;
  const claim = await claimRows(db).where('claims.id', '=', id).executeTakeFirst();
  const project = claim && (await findProject(db, String(claim.projectId)));
  if (!claim || !project) throw notFound('claim_not_found', 'Claim not found');
  if (claim.claimer === who.actor) throw forbidden('own_claim', 'Another person decides on your own claim');
  if (claim.decidedAt) throw alreadyDecided();
  const refund = isConfirmed && isRefunded ? claim.rest : null;
  if (isConfirmed) {
    if (!claim.isDue) throw conflict('too_early', `The lister has ${CLAIM_ANSWER_DAYS} days to answer.`);
    if (isRefunded && !refund) throw conflict('nothing_to_refund', 'Nothing is left of a fee for this listing.');
    return confirm(services, who, claim, project, { isConfirmed, refund, reason });
  }
  await db.transaction().execute(async (trx) => {
    await closeClaim(trx, claim, null);
    await report(trx, who, claim, project, { isConfirmed, refund, reason });
  });
}
