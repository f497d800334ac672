/** The admin imports the demo's field into the catalogue, sees a listing of it as a visitor does, and undoes the import. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Download } from '@playwright/test';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { enterAsAdmin, expect, expectToast, press, signIn, test } from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../../demo/${name}`, import.meta.url));

/** Excel on Windows saves such a file: its own encoding, semicolons, a blank row, and a path before the name of a picture. */
const ODD_SHEET = Buffer.from(
  'sep=;\r\nName;Category;Description;Twitter Handle;Picture\r\n;;;;\r\nCaf\xe9 Marina;DeFi;A harbor;marina;logos\\harbor.png\r\n',
  'latin1',
);

test('the admin imports forty entries after a dry run, exports the same file, and undoes the import [R72 R88]', async ({
  page,
  browser,
}) => {
  test.slow();
  const owner = await enterAsAdmin(browser, 'Catalogue');
  await owner
    .getByLabel('Rows', { exact: true })
    .setInputFiles({ name: 'odd.csv', mimeType: 'text/csv', buffer: ODD_SHEET });
  await owner.getByLabel('Pictures').setInputFiles(fileOf('catalogue.zip'));
  await press(owner.getByRole('button', { name: 'Check the files' }));
  await expectVisibleToPerson(owner.getByText('It is read as Windows-1252: Café.'));
  await expectVisibleToPerson(owner.getByText('Blank rows, passed over: 2.'));
  await expectVisibleToPerson(owner.getByText(/^Files of the archive that no row names: .* more\.$/));
  await expectVisibleToPerson(owner.getByText('Row 3', { exact: true }));
  await expectVisibleToPerson(owner.getByText('picture: logos\\harbor.png is not in the archive'));
  await owner.getByLabel('Rows', { exact: true }).setInputFiles(fileOf('catalogue.csv'));
  await press(owner.getByRole('button', { name: 'Check the files' }));
  await expectVisibleToPerson(
    owner.getByText('40 rows of 40 can be listed. Each voter can earn up to 400 Snaps for them, once.'),
  );
  await press(owner.getByRole('button', { name: 'List 40 rows' }));
  await expectToast(owner, 'Import finished');
  await expectVisibleToPerson(owner.getByText(/40 listings, 0 claimed/).first());

  const saved: Download[] = [];
  owner.on('download', (download) => saved.push(download));
  await press(owner.getByRole('button', { name: 'Export the catalogue' }));
  await expectToast(owner, 'Catalogue saved');
  await expect.poll(() => saved.length).toBe(2);
  const [sheet, archive] = await Promise.all(saved.map(async (download) => readFile(await download.path())));
  const exported = sheet?.toString().split('\r\n') ?? [];
  const imported = `\uFEFF${await readFile(fileOf('catalogue.csv'), 'utf8')}`.split('\n');
  // The catalogue can have other listings, too.
  expect(exported.filter((line) => imported.includes(line))).toEqual(imported);
  const entries = await new ZipReader(new Uint8ArrayReader(archive ?? new Uint8Array())).getEntries();
  expect(entries.map(({ filename }) => filename)).toContain('dune-bridge.webp');

  await page.goto('/projects/dune-bridge');
  await expectScreenAlive(page, 'Dune Bridge');
  await expectVisibleToPerson(page.getByText(/^Catalogue since .* · Unclaimed$/));
  await signIn(page);
  await expectScreenAlive(page, 'Dune Bridge');

  await press(owner.getByRole('button', { name: 'Undo catalogue.csv' }).first());
  const dialog = owner.getByRole('dialog', { name: 'Undo the import' });
  await dialog.getByLabel('Reason').fill('Only a trial');
  await press(dialog.getByRole('button', { name: 'Undo the import' }));
  await expectToast(owner, 'Import undone');
  await expect(owner.getByText('Undone', { exact: true }).first()).toBeVisible();
  await owner.context().close();
});
