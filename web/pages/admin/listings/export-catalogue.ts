import { isolated } from '#shared/text/isolated.ts';
import { BlobReader, BlobWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js';
import type { CatalogueRow } from '#shared/contract/catalogue.ts';
import { fetchRows, type ListPage, type PageCall } from '../../../lib/fetch-page.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { adminRequest } from '../admin-session.ts';
import { pictureOf, toSheet } from './catalogue-sheet.ts';

const PAGE_ROWS = 500;

export async function exportCatalogue(onProgress: (text: string) => void): Promise<number> {
  const rows: CatalogueRow[] = [];
  const zip = new ZipWriter(new BlobWriter('application/zip'), { level: 0, useWebWorkers: false });
  let cursor: string | null = null;
  do {
    const query: PageCall = { limit: PAGE_ROWS, cursor: cursor ?? undefined };
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    const page: ListPage<CatalogueRow> = await adminRequest((headers) =>
      fetchRows('listCatalogue', { query, headers }),
    );
    for (const row of page.rows) {
      // oxlint-disable-next-line no-await-in-loop -- one picture at a time
      const response = await fetch(row.imageUrl);
      if (!response.ok) throw new Error(`The picture of ${isolated(row.name)} could not be read`);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await zip.add(pictureOf(row.slug), new BlobReader(await response.blob()));
      rows.push(row);
      onProgress(`${rows.length} rows`);
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  saveFile('catalogue.csv', new Blob(toSheet(rows), { type: 'text/csv;charset=utf-8' }));
  saveFile('catalogue.zip', await zip.close());
  return rows.length;
}
