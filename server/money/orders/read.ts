import { createHash } from 'node:crypto';
import {
  LISTING_DAYS,
  MAX_UPDATES_PER_DAY,
  RENEW_FEE_MIST,
  SUBMIT_FEE_MIST,
  UPDATE_FEE_MIST,
} from '#shared/constants.ts';
import type { Purpose } from '#shared/contract/payments.ts';
import type { ProjectChanges, ProjectDraft } from '#shared/contract/projects.ts';
import { PROJECT_FIELDS } from '#shared/listings/project-fields.ts';
import { badRequest, conflict, forbidden, HttpError, invalidField, notFound } from '#server/kit/http/errors.ts';
import { acceptImage } from '#server/listings/images/intake.ts';
import { cleanChanges, cleanDraft } from './draft.ts';
import { type Buyer, MAX_PERIODS, NAME_TAKEN, type Order } from './order.ts';
import { findProject, type ProjectRow } from '#server/listings/projects/queries.ts';
import { isChangedOften } from '#server/listings/versions/limit.ts';
import { describeListed } from '#server/listings/projects/listed-already.ts';
import { findNameTaken } from '#server/listings/projects/slugs.ts';
import type { Services } from '#server/kit/services.ts';
import type { SessionUser } from '#server/kit/http/session.ts';

const FEES_MIST: Record<Purpose, bigint> = {
  submit: SUBMIT_FEE_MIST,
  update: UPDATE_FEE_MIST,
  renew: RENEW_FEE_MIST,
};

export type OrderInput =
  | { purpose: 'submit'; draft: ProjectDraft }
  | { purpose: 'update'; ref: string; draft: ProjectChanges }
  | { purpose: 'renew'; ref: string };

export interface OrderRequest {
  purpose: Purpose;
  amountMist: bigint;
  project: ProjectRow | null;
  fields: object;
  imageDataUrl: string | null;
  hash: string;
}

/** Checks the owner, then everything that needs no database. @throws 403; 400 with the field to correct */
export async function readOrder({ db }: Services, input: OrderInput, session: SessionUser): Promise<OrderRequest> {
  const amountMist = FEES_MIST[input.purpose];
  if (input.purpose === 'submit') {
    const { draft } = input;
    const fields = cleanDraft(draft);
    if (draft.imageUrl === '') throw invalidField('imageUrl', PROJECT_FIELDS.imageUrl.missing);
    return request(input.purpose, amountMist, null, '', fields, draft.imageUrl);
  }
  const project = await findProject(db, input.ref);
  checkOwner(project, session);
  const target = project ? String(project.id) : input.ref;
  if (input.purpose === 'renew') return request(input.purpose, amountMist, project, target, {}, null);
  const { draft } = input;
  const fields = cleanChanges(draft);
  const imageDataUrl = draft.imageUrl ?? null;
  if (Object.keys(fields).length === 0 && imageDataUrl === null)
    throw badRequest('nothing_to_change', 'The request contains no changes');
  return request(input.purpose, amountMist, project, target, fields, imageDataUrl);
}

/** Equal orders have equal hashes, whatever the order of their fields. */
export function orderHash(purpose: Purpose, target: string, fields: object, imageDataUrl: string | null): string {
  const image = imageDataUrl === null ? null : createHash('sha256').update(imageDataUrl).digest('hex');
  const sorted = Object.entries(fields).toSorted(([a], [b]) => a.localeCompare(b));
  return createHash('sha256')
    .update(JSON.stringify([purpose, target, sorted, image]))
    .digest('hex');
}

function request(
  purpose: Purpose,
  amountMist: bigint,
  project: ProjectRow | null,
  target: string,
  fields: object,
  imageDataUrl: string | null,
): OrderRequest {
  const hash = orderHash(purpose, target, fields, imageDataUrl);
  return { purpose, amountMist, project, fields, imageDataUrl, hash };
}

export const buyerOf = ({ userId, isAdmin }: SessionUser): Buyer => ({ userId, isAdmin });

function checkOwner(project: ProjectRow | null, session: SessionUser): void {
  if (project && project.submittedBy !== session.walletAddress && !session.isAdmin)
    throw forbidden('not_owner', 'Only the owner of the project may do this');
}

export function checkPossible(order: OrderRequest): void {
  if (order.purpose === 'submit') return;
  if (!order.project) throw notFound('project_not_found', 'Project not found');
  if (order.project.hiddenAt) throw conflict('project_hidden', 'This project was hidden by the admin');
  if (order.purpose === 'renew' && order.project.periods >= MAX_PERIODS)
    throw conflict(
      'project_full',
      `A listing can run for at most ${MAX_PERIODS * LISTING_DAYS} days in total, and this one already does. Nothing was paid.`,
    );
}

/** Orders of a lister wait while another wallet claims the listing (R72). @throws 409 */
export function checkUnclaimed({ project }: OrderRequest): void {
  if (project?.claim)
    throw conflict(
      'project_claimed',
      'Another wallet claims this listing. Orders wait until a moderator has decided. Nothing was paid.',
    );
}

export async function checkChangedOften({ db }: Services, { purpose, project }: OrderRequest): Promise<void> {
  if (purpose !== 'update' || !project || !(await isChangedOften(db, project.id))) return;
  throw conflict(
    'changed_often',
    `A listing can change at most ${MAX_UPDATES_PER_DAY} times within 24 hours. Try again tomorrow. Nothing was paid.`,
  );
}

/** @throws 409 with the listing that has the name, so that its team can claim it (R72) */
export async function checkName({ db }: Services, name: string | undefined, projectId: number | null): Promise<void> {
  const id = name === undefined ? null : await findNameTaken(db, name, projectId);
  if (id === null) return;
  const [listed] = await describeListed(db, [{ by: 'name', id }]);
  const next = listed?.isClaimable ? 'Yours? Claim it, free.' : 'Choose another one.';
  throw new HttpError(409, 'name_taken', `${NAME_TAKEN}. ${next}`, { extra: { field: 'name', listed } });
}

/** Refuses an update that changes nothing, only before it is paid: a paid order is always fulfilled. */
export function checkChanges({ purpose, project }: OrderRequest, draft: object): void {
  if (purpose !== 'update' || !project) return;
  const stored = new Map<string, unknown>(Object.entries(project));
  if (Object.entries(draft).every(([field, value]) => stored.get(field) === value))
    throw badRequest('nothing_to_change', 'The project already has these values. Nothing was paid.');
}

/** `userId` null: the operator. */
export async function draftOf({ db }: Services, order: OrderRequest, userId: number | null): Promise<object> {
  if (order.imageDataUrl === null) return order.fields;
  const { hash } = await acceptImage(db, order.imageDataUrl, { userId });
  return { ...order.fields, imageHash: hash };
}

export async function toOrder(services: Services, order: OrderRequest): Promise<Order> {
  const draft = await draftOf(services, order, null);
  if (order.purpose === 'submit')
    return { purpose: 'submit', draft: draft as Extract<Order, { purpose: 'submit' }>['draft'] };
  if (!order.project) throw notFound('project_not_found', 'Project not found');
  if (order.purpose === 'renew') return { purpose: 'renew', projectId: order.project.id };
  return { purpose: 'update', projectId: order.project.id, draft };
}
