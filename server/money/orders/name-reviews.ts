import { isolated } from '#shared/isolated.ts';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { NameReview, reviewName } from '#shared/contract/names.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { NAME_DECLINED } from '#shared/states/payment.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';
import { mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import { readReason } from '#server/kit/http/reason.ts';
import { imageUrl } from '#server/kit/image-url.ts';
import { listPaymentRows, lockPayment } from '../payments/queries.ts';
import { isWaiting, type PaymentRow } from '../payments/rows.ts';
import { markUnclaimed } from '../payments/transitions.ts';
import { lookAlikeKeys } from '#server/listings/projects/look-alike-keys.ts';
import { areClose, findCloseNames } from '#server/listings/projects/look-alikes.ts';
import { projectRows, type ProjectRow } from '#server/listings/projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { publicWallet } from '#server/kit/public-user.ts';
import { fulfil } from './fulfil.ts';
import { draftOf, notifyPayer } from './wait-for-review.ts';

async function findProjects(db: Db, ids: readonly number[], keys: readonly string[]) {
  return projectRows(db)
    .select('projects.lookAlikeKeys')
    .where((eb) =>
      eb.or([eb('projects.id', 'in', [0, ...ids]), eb('projects.lookAlikeKeys', '&&', sql<string[]>`${keys}::text[]`)]),
    )
    .orderBy('projects.id')
    .limit(1_000)
    .execute();
}

const shown = (row: ProjectRow) => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  category: row.category,
  description: row.description,
  imageUrl: imageUrl(row.imageHash),
  twitterHandle: row.twitterHandle,
  website: row.website,
  owner: publicWallet(row.submittedBy),
  listedAt: row.createdAt.toISOString(),
});

export async function listNameReviews(db: Db, query: PageQuery): Promise<Page<NameReview>> {
  const page = mapPage(await listPaymentRows(db, { isLookAlike: true }, query), (row) => {
    const draft = draftOf(row);
    return { row, draft, keys: lookAlikeKeys(draft.name ?? '') };
  });
  const waiting = page.rows.filter(({ row }) => isWaiting(row));
  const close = await findCloseNames(
    db,
    waiting.flatMap(({ keys }) => keys),
  );
  const found = await findProjects(
    db,
    [...close, ...page.rows.flatMap(({ row }) => row.projectId ?? [])],
    page.rows.flatMap(({ keys }) => keys),
  );
  return mapPage(page, ({ row, draft, keys }): NameReview => {
    const project = found.find(({ id }) => id === row.projectId);
    const others = found.filter(({ id, hiddenAt }) => id !== row.projectId && hiddenAt === null);
    const sharesKey = (other: (typeof found)[number]) =>
      other.lookAlikeKeys?.some((key) => keys.includes(key)) ?? false;
    const isClose = (other: (typeof found)[number]) => !sharesKey(other) && areClose(keys, other.lookAlikeKeys ?? []);
    const { imageHash = project?.imageHash ?? '' } = draft;
    return {
      paymentId: row.id,
      purpose: row.purpose,
      since: (row.lookAlikeSince ?? row.createdAt).toISOString(),
      isListed: !isWaiting(row),
      project: project ? { id: project.id, slug: project.slug, name: project.name } : null,
      name: draft.name ?? '',
      category: draft.category ?? project?.category ?? '',
      description: draft.description ?? project?.description ?? '',
      imageUrl: imageUrl(imageHash),
      twitterHandle: draft.twitterHandle ?? project?.twitterHandle ?? '',
      website: draft.website ?? project?.website ?? null,
      owner: publicWallet(row.walletAddress),
      others: [
        ...others.filter(sharesKey).map((other) => ({ ...shown(other), isClose: false })),
        ...(isWaiting(row) ? others.filter(isClose).map((other) => ({ ...shown(other), isClose: true })) : []),
      ],
    };
  });
}

const notWaiting = () => conflict('not_waiting', 'This name does not wait for a decision');

async function decline({ db }: Services, who: Actor, id: string, reason: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, id);
    if (!payment) throw notFound('payment_not_found', 'Payment not found');
    if (!isWaiting(payment)) throw notWaiting();
    const { name } = draftOf(payment);
    const message = `The name ${isolated(name)} was declined: ${reason}. Your fee will be sent back.`;
    await markUnclaimed(trx, payment, 'decline', { failureCode: NAME_DECLINED, message, lookAlikeSince: null });
    await notifyPayer(trx, payment.userId, message);
    const detail = `Payment ${id}: the name ${isolated(name)} was declined. Reason: ${reason}`;
    await writeAudit(trx, who, { action: 'name.decline', detail, outcome: 'ok' });
  });
}

async function removeMarker(trx: Db, payment: PaymentRow): Promise<void> {
  await trx.updateTable('payments').set({ lookAlikeSince: null }).where('id', '=', payment.id).execute();
  await trx.updateTable('projects').set({ lookAlikeOf: null }).where('id', '=', payment.projectId).execute();
}

async function list(services: Services, who: Actor, id: string): Promise<void> {
  const record = async (trx: Db, payment: PaymentRow): Promise<void> => {
    const { name } = draftOf(payment);
    await notifyPayer(trx, payment.userId, `A moderator looked at the name ${isolated(name)}: it is listed.`);
    const detail = `Payment ${id}: the name ${isolated(name)} may be used`;
    await writeAudit(trx, who, { action: 'name.list', detail, outcome: 'ok' });
  };
  const done = await fulfil(services, id, { kind: 'list', record });
  if (done.state !== 'fulfilled') throw conflict('cannot_fulfil', done.message ?? 'The order cannot be completed');
  await services.db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, id);
    if (!payment || payment.lookAlikeSince === null) return;
    await removeMarker(trx, payment);
    await record(trx, payment);
  });
}

/** @throws 404, 409 */
export async function decideName(
  services: Services,
  who: Actor,
  id: string,
  body: BodyOf<typeof reviewName>,
): Promise<void> {
  if (body.decision === 'decline') return decline(services, who, id, readReason(body.reason));
  const payment = await services.db
    .selectFrom('payments')
    .select('lookAlikeSince')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!payment) throw notFound('payment_not_found', 'Payment not found');
  if (payment.lookAlikeSince === null) throw notWaiting();
  return list(services, who, id);
}
