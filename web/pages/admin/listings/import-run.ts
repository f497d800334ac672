import { CATALOGUE_CHECK_ROWS, CATALOGUE_IMPORT_ROWS, type RowReport } from '#shared/contract/catalogue.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { api } from '../../../lib/api.ts';
import { adminRequest } from '../admin-session.ts';
import { openArchive, type PictureArchive } from './archive.ts';
import { checkPicture, type CheckedPicture } from './check-picture.ts';
import { type FileRow, listSome, readSheet } from './read-rows.ts';

export interface CheckedRow extends FileRow, RowReport {}

export interface Checked {
  name: string;
  archive: PictureArchive;
  rows: CheckedRow[];
  /** Guesses, and what was passed over, in both files. */
  notes: string[];
}

export interface Imported {
  listed: number;
  refused: CheckedRow[];
}

type Progress = (text: string) => void;

const CALL_MAX_CHARS = 13 * 1024 * 1024;
/** A character of a cell has at most three bytes. */
const CHECK_MAX_CHARS = 150_000;
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

/** Keys of a row that another row of the file may share, without case, spaces and punctuation. */
const KEYS: ReadonlyArray<[what: string, keyOf: (row: FileRow, digest: string) => string]> = [
  ['name', ({ texts }) => texts.name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')],
  ['handle', ({ texts }) => (texts.twitterHandle.toLowerCase().match(/[^/@]+\/?$/)?.[0] ?? '').replace('/', '')],
  ['website', ({ texts }) => (texts.website ?? '').toLowerCase()],
  ['coin', ({ texts }) => texts.coinType ?? ''],
  ['picture', (_row, digest) => digest],
];

function sameAsBefore(rows: readonly FileRow[], pictures: readonly CheckedPicture[]): Array<RowReport['errors']> {
  const firsts = new Map<string, number>();
  return rows.map((row, at) => {
    const errors: RowReport['errors'] = [];
    for (const [what, keyOf] of KEYS) {
      const value = keyOf(row, pictures[at]?.digest ?? '');
      const key = `${what} ${value}`;
      const first = firsts.get(key);
      if (value === '') continue;
      if (first === undefined) firsts.set(key, row.number);
      else errors.push({ field: what, message: `The same ${what} as row ${first}` });
    }
    return errors;
  });
}

/** Rows that one call takes, at least one. */
function nextCall(rows: readonly FileRow[]): readonly FileRow[] {
  let chars = 0;
  const most = rows.findIndex(({ texts }) => (chars += JSON.stringify(texts).length) > CHECK_MAX_CHARS);
  return most < 0 ? rows : rows.slice(0, Math.max(1, most));
}

export async function checkFiles(table: File, pictures: Blob, onProgress: Progress): Promise<Checked> {
  const { rows, notes } = await readSheet(table);
  const archive = await openArchive(pictures);
  const read: CheckedPicture[] = [];
  for (const { picture } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- one picture in memory at a time
    read.push(await checkPicture(archive, picture));
    onProgress(`${read.length} of ${rows.length} pictures read`);
  }
  const unread = archive.unread();
  if (unread.length > 0) notes.push(`Files of the archive that no row names: ${listSome(unread)}.`);
  const same = sameAsBefore(rows, read);
  const checked: CheckedRow[] = [];
  while (checked.length < rows.length) {
    const at = checked.length;
    const part = nextCall(rows.slice(at, at + CATALOGUE_CHECK_ROWS));
    const body = { rows: part.map(({ texts }) => texts) };
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    const { rows: reports } = await patiently(() => adminRequest((headers) => api.checkCatalogue({ body, headers })));
    for (const [i, row] of part.entries()) {
      const { errors, alike } = reports[i] ?? { errors: [], alike: [] };
      const inFile = [...row.errors, ...(read[at + i]?.errors ?? []), ...(same[at + i] ?? [])];
      checked.push({ ...row, errors: [...errors, ...inFile], alike });
    }
    onProgress(`${checked.length} of ${rows.length} rows checked`);
  }
  return { name: table.name, archive, rows: checked, notes };
}

function dataUrl(bytes: Uint8Array): string {
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
  for (const row of rows) {
    // oxlint-disable-next-line no-await-in-loop -- as many pictures in memory as one call takes
    const imageUrl = dataUrl(await archive.read(row.picture));
    const chars = waiting.reduce((sum, one) => sum + one.imageUrl.length, imageUrl.length);
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (waiting.length === CATALOGUE_IMPORT_ROWS || chars > CALL_MAX_CHARS) await send();
    waiting.push({ row, imageUrl });
  }
  await send();
  return imported;
}
