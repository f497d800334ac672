import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { LISTING_DAYS } from '#shared/constants.ts';
import { CATALOGUE_MAX_ROWS, type importRows, type undoImport } from '#shared/contract/catalogue.ts';
import type { BodyOf, ResponseOf } from '#shared/endpoint.ts';
import { type Actor, writeAudit } from '#server/books/audit.ts';
import { conflict, HttpError, notFound } from '#server/kit/http/errors.ts';
import { readReason } from '#server/kit/http/reason.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { acceptImage } from '../images/intake.ts';
import { lookAlikeKeys } from '../projects/look-alike-keys.ts';
import { markName } from '../projects/marks.ts';
import { chooseSlug, isNameTaken, lockNames } from '../projects/slugs.ts';
import type { Services } from '#server/kit/services.ts';
import { type CheckedRow, checkRows } from './check.ts';

type ImportedRow = ResponseOf<typeof importRows>['rows'][number];

export async function beginImport({ db }: Services, who: Actor, name: string): Promise<{ id: number }> {
  return db.transaction().execute(async (trx) => {
    const { id } = await trx.insertInto('catalogueImports').values({ name }).returning('id').executeTakeFirstOrThrow();
    await writeAudit(trx, who, { action: 'catalogue.import', detail: `Import ${id} (${name})`, outcome: 'ok' });
    return { id };
  });
}

/** Locks out concurrent calls and the undo. @throws 404, 409 */
async function lockImport(trx: Db, id: number): Promise<void> {
  const row = await trx
    .selectFrom('catalogueImports')
    .select('undoneAt')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('import_not_found', 'Import not found');
  if (row.undoneAt) throw conflict('import_undone', 'This import was undone');
}

async function listRow(
  trx: Db,
  importId: number,
  ownerId: number,
  { texts, imageHash }: { texts: NonNullable<CheckedRow['texts']>; imageHash: string },
): Promise<string | null> {
  await lockImport(trx, importId);
  const { listed } = await trx
    .selectFrom('projects')
    .select((eb) => eb.fn.countAll<number>().as('listed'))
    .where('importId', '=', importId)
    .executeTakeFirstOrThrow();
  if (listed >= CATALOGUE_MAX_ROWS)
    throw conflict('import_full', `An import can have at most ${CATALOGUE_MAX_ROWS} rows`);
  await lockNames(trx);
  if (await isNameTaken(trx, texts.name)) return null;
  const slug = await chooseSlug(trx, texts.name);
  const { id } = await trx
    .insertInto('projects')
    .values({
      ...texts,
      imageHash,
      slug,
      importId,
      ownerId,
      isCatalogue: true,
      coinSource: 'catalogue',
      lookAlikeKeys: lookAlikeKeys(texts.name),
      expiresAt: sql`now() + make_interval(days => ${LISTING_DAYS})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx.insertInto('projectStats').values({ projectId: id }).execute();
  await markName(trx, id);
  return slug;
}

async function samePicture(db: Db, imageHash: string): Promise<CheckedRow['alike']> {
  const rows = await db
    .selectFrom('projects')
    .select(['slug', 'name'])
    .where('imageHash', '=', imageHash)
    .where('hiddenAt', 'is', null)
    .limit(3)
    .execute();
  return rows.map((row) => ({ by: 'picture', ...row }));
}

const refused = (row: CheckedRow, field: string, message: string): ImportedRow => ({
  errors: [...row.errors, { field, message }],
  alike: row.alike,
  slug: null,
});

async function importRow(
  { db }: Services,
  importId: number,
  ownerId: number,
  row: CheckedRow,
  imageUrl: string,
): Promise<ImportedRow> {
  const { texts, errors, alike } = row;
  if (!texts || errors.length > 0) return { errors, alike, slug: null };
  try {
    const { hash: imageHash } = await acceptImage(db, imageUrl, { userId: null });
    const pictures = await samePicture(db, imageHash);
    const slug = await db.transaction().execute((trx) => listRow(trx, importId, ownerId, { texts, imageHash }));
    if (slug === null) return refused(row, 'name', 'Another listing already has this name');
    return { errors, alike: [...alike, ...pictures], slug };
  } catch (error) {
    if (!(error instanceof HttpError) || !['image', 'pixels'].some((word) => error.code.includes(word))) throw error;
    return refused(row, 'imageUrl', error.message);
  }
}

/** Imports one row after the other, because the encoder of pictures serves others too. @throws 404, 409 */
export async function importCatalogue(
  services: Services,
  session: SessionUser,
  importId: number,
  { rows }: BodyOf<typeof importRows>,
): Promise<{ rows: ImportedRow[] }> {
  await services.db.transaction().execute((trx) => lockImport(trx, importId));
  const results: ImportedRow[] = [];
  for (const { imageUrl, ...texts } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- one picture at a time
    const [checked] = await checkRows(services, services.db, [texts]);
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (checked) results.push(await importRow(services, importId, session.userId, checked, imageUrl));
  }
  return { rows: results };
}

const isUnclaimed = sql<boolean>`NOT EXISTS (SELECT FROM ownerships o WHERE o.project_id = projects.id)`;

/** Hides the unclaimed listings of an import; votes, Snaps and the public record still name them. @throws 404, 409 */
export async function undoCatalogue(
  { db }: Services,
  who: Actor,
  id: number,
  body: BodyOf<typeof undoImport>,
): Promise<ResponseOf<typeof undoImport>> {
  const reason = readReason(body.reason);
  return db.transaction().execute(async (trx) => {
    await lockImport(trx, id);
    await trx
      .updateTable('catalogueImports')
      .set({ undoneAt: sql<Date>`now()` })
      .where('id', '=', id)
      .execute();
    const { numUpdatedRows } = await trx
      .updateTable('projects')
      .set({ hiddenAt: sql<Date>`now()`, hiddenReason: reason })
      .where('importId', '=', id)
      .where('hiddenAt', 'is', null)
      .where(isUnclaimed)
      .executeTakeFirst();
    const hidden = Number(numUpdatedRows);
    const { kept } = await trx
      .selectFrom('projects')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where('importId', '=', id)
      .where('hiddenAt', 'is', null)
      .executeTakeFirstOrThrow();
    const detail = `Import ${id}: ${hidden} listings hidden, ${kept} kept. Reason: ${reason}`;
    await writeAudit(trx, who, { action: 'catalogue.undo', detail, outcome: 'ok', rowCount: hidden });
    return { hidden, kept };
  });
}
