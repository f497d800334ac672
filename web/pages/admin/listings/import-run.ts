import { CATALOGUE_CHECK_ROWS, CATALOGUE_IMPORT_ROWS, type RowReport } from '#shared/contract/catalogue.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { api } from '../../../lib/api.ts';
import { adminRequest } from '../admin-session.ts';
import { type Picture, readPictures } from './archive.ts';
import { type FileRow, readRows } from './read-rows.ts';

export interface CheckedRow extends FileRow, RowReport {}

export interface Checked {
  name: string;
  archive: Blob;
  rows: CheckedRow[];
}

export interface Imported {
  listed: number;
  refused: CheckedRow[];
}

type Progress = (text: string) => void;

const CALL_MAX_CHARS = 13 * 1024 * 1024;
const CODE_BYTES = 8_192;
const MOST_WAITS = 20;
const DEFAULT_WAIT_S = 5;

const afterS = (seconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, seconds * 1_000));

async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- again after the wait
      return await call();
    } catch (error) {
      const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 503);
      if (!isBusy || waits >= MOST_WAITS) throw error;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await afterS(error.retryAfterS ?? DEFAULT_WAIT_S);
    }
  }
}

async function digestOf({ bytes }: Picture): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Keys of a row that another row of the file may share, without case, spaces and punctuation. */
const KEYS: ReadonlyArray<[what: string, keyOf: (row: FileRow, digests: ReadonlyMap<string, string>) => string]> = [
  ['name', ({ texts }) => texts.name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')],
  ['handle', ({ texts }) => (texts.twitterHandle.toLowerCase().match(/[^/@]+\/?$/)?.[0] ?? '').replace('/', '')],
  ['website', ({ texts }) => (texts.website ?? '').toLowerCase()],
  ['coin', ({ texts }) => texts.coinType ?? ''],
  ['picture', ({ picture }, digests) => digests.get(picture) ?? ''],
];

function errorsInFile(rows: readonly FileRow[], digests: ReadonlyMap<string, string>): Array<RowReport['errors']> {
  const firsts = new Map<string, number>();
  return rows.map((row) => {
    const errors: RowReport['errors'] = [];
    if (row.picture === '') errors.push({ field: 'picture', message: 'Enter the name of a picture' });
    else if (!digests.has(row.picture))
      errors.push({ field: 'picture', message: `${row.picture} is not in the archive, or has more than 10 MB` });
    for (const [what, keyOf] of KEYS) {
      const value = keyOf(row, digests);
      const key = `${what} ${value}`;
      const first = firsts.get(key);
      if (value === '') continue;
      if (first === undefined) firsts.set(key, row.number);
      else errors.push({ field: what, message: `The same ${what} as row ${first}` });
    }
    return errors;
  });
}

export async function checkFiles(table: File, archive: Blob, onProgress: Progress): Promise<Checked> {
  const rows = await readRows(table);
  const digests = new Map<string, string>();
  await readPictures(archive, async (picture) => {
    digests.set(picture.name, await digestOf(picture));
    onProgress(`${digests.size} pictures read`);
  });
  const inFile = errorsInFile(rows, digests);
  const checked: CheckedRow[] = [];
  for (let at = 0; at < rows.length; at += CATALOGUE_CHECK_ROWS) {
    const part = rows.slice(at, at + CATALOGUE_CHECK_ROWS);
    const body = { rows: part.map(({ texts }) => texts) };
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    const { rows: reports } = await patiently(() => adminRequest((headers) => api.checkCatalogue({ body, headers })));
    for (const [i, row] of part.entries()) {
      const { errors, alike } = reports[i] ?? { errors: [], alike: [] };
      checked.push({ ...row, errors: [...errors, ...(inFile[at + i] ?? [])], alike });
    }
    onProgress(`${checked.length} of ${rows.length} rows checked`);
  }
  return { name: table.name, archive, rows: checked };
}

function dataUrl({ bytes }: Picture): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CODE_BYTES)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CODE_BYTES)));
  return `data:image/png;base64,${btoa(parts.join(''))}`;
}

export async function runImport(
  { name, archive }: Pick<Checked, 'name' | 'archive'>,
  rows: readonly CheckedRow[],
  onProgress: Progress,
): Promise<Imported> {
  const { id } = await adminRequest((headers) => api.beginImport({ body: { name: name.slice(0, 100) }, headers }));
  const byPicture = new Map(rows.map((row) => [row.picture, row]));
  const imported: Imported = { listed: 0, refused: [] };
  let waiting: Array<{ row: CheckedRow; imageUrl: string }> = [];
  async function send(): Promise<void> {
    const sent = waiting;
    waiting = [];
    if (sent.length === 0) return;
    const body = { rows: sent.map(({ row, imageUrl }) => ({ ...row.texts, imageUrl })) };
    const params = { id: String(id) };
    const { rows: results } = await patiently(() =>
      adminRequest((headers) => api.importRows({ params, body, headers })),
    );
    for (const [i, { row }] of sent.entries()) {
      const { slug = null, errors = [], alike = [] } = results[i] ?? {};
      if (slug === null) imported.refused.push({ ...row, errors, alike });
      else imported.listed += 1;
    }
    onProgress(`${imported.listed + imported.refused.length} of ${rows.length} rows`);
  }
  await readPictures(archive, async (picture) => {
    const row = byPicture.get(picture.name);
    if (!row) return;
    const imageUrl = dataUrl(picture);
    const chars = waiting.reduce((sum, one) => sum + one.imageUrl.length, imageUrl.length);
    if (waiting.length === CATALOGUE_IMPORT_ROWS || chars > CALL_MAX_CHARS) await send();
    waiting.push({ row, imageUrl });
  });
  await send();
  return imported;
}
