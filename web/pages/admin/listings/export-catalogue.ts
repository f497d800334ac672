import { Zip, ZipPassThrough } from 'fflate';
import type { CatalogueRow } from '#shared/contract/catalogue.ts';
import { csvLine } from '#shared/csv.ts';
import { fetchRows, type ListPage, type PageCall } from '../../../lib/fetch-page.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { adminRequest } from '../admin-session.ts';
import { CATALOGUE_COLUMNS } from './read-rows.ts';

const PAGE_ROWS = 500;

export async function exportCatalogue(onProgress: (text: string) => void): Promise<number> {
  const csv = ['\uFEFF', csvLine(CATALOGUE_COLUMNS)];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, data) => {
    if (error) throw error;
    parts.push(new Uint8Array(data));
  });
  let rows = 0;
  let cursor: string | null = null;
  do {
    const query: PageCall = { limit: PAGE_ROWS, cursor: cursor ?? undefined };
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    const page: ListPage<CatalogueRow> = await adminRequest((headers) =>
      fetchRows('listCatalogue', { query, headers }),
    );
    for (const { slug, imageUrl, ...row } of page.rows) {
      const picture = `${slug}.webp`;
      const cells = new Map<string, unknown>(Object.entries({ ...row, picture }));
      csv.push(csvLine(CATALOGUE_COLUMNS.map((column) => cells.get(column))));
      // oxlint-disable-next-line no-await-in-loop -- one picture at a time
      const response = await fetch(imageUrl);
      if (!response.ok) throw new Error(`The picture of ${row.name} could not be read`);
      const file = new ZipPassThrough(picture);
      zip.add(file);
      // oxlint-disable-next-line no-await-in-loop -- as above
      file.push(new Uint8Array(await response.arrayBuffer()), true);
      rows += 1;
      onProgress(`${rows} rows`);
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  zip.end();
  saveFile('catalogue.csv', new Blob(csv, { type: 'text/csv;charset=utf-8' }));
  saveFile('catalogue.zip', new Blob(parts, { type: 'application/zip' }));
  return rows;
}
