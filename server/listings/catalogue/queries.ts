import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { CatalogueImport, CatalogueRow } from '#shared/contract/catalogue.ts';
import { projectTextFields } from '#shared/listings/project-fields.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import { imageUrl } from '#server/kit/image-url.ts';

export async function listCatalogue(db: Db, page: PageQuery): Promise<Page<CatalogueRow>> {
  const rows = db
    .selectFrom('projects')
    .select(['projects.id', 'slug', 'imageHash', ...projectTextFields])
    .where('isCatalogue', '=', true)
    .where('hiddenAt', 'is', null);
  const listed = await listById(db, { name: 'catalogue', page, rows, id: 'projects.id' });
  return mapPage(listed, ({ imageHash, ...row }) => ({ ...row, imageUrl: imageUrl(imageHash) }));
}

export async function listImports(db: Db, page: PageQuery): Promise<Page<CatalogueImport>> {
  const rows = db
    .selectFrom('catalogueImports as i')
    .select(['i.id', 'i.name', 'i.createdAt', 'i.undoneAt'])
    .select([
      sql<number>`(SELECT count(*) FROM projects p WHERE p.import_id = i.id)`.as('listings'),
      sql<number>`(SELECT count(*) FROM projects p JOIN ownerships o ON o.project_id = p.id WHERE p.import_id = i.id)`.as(
        'claimed',
      ),
      sql<number>`(SELECT count(*) FILTER (WHERE cardinality(p.period_starts) > 1)
        FROM projects p JOIN ownerships o ON o.project_id = p.id WHERE p.import_id = i.id)`.as('renewed'),
    ]);
  const listed = await listById(db, { name: 'imports', page, rows, id: 'i.id' });
  return mapPage(listed, (row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    undoneAt: row.undoneAt?.toISOString() ?? null,
  }));
}
