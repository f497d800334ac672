import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('/trust leads to the definition of the record and to a verifier with the hash beside it [R63]', async ({
  page,
}) => {
  await page.goto('/trust');
  const check = page.getByRole('region', { name: 'Check it' });
  const download = page.waitForEvent('download');
  await check.getByRole('link', { name: 'verify.mjs', exact: true }).click();
  const file = await readFile(await (await download).path());
  const said = await (await page.request.get('/trust/verify.mjs.sha256')).text();
  expect(said).toBe(`${createHash('sha256').update(file).digest('hex')}  verify.mjs\n`);
  await check.getByRole('link', { name: 'the format of the record' }).click();
  await expect(page.getByRole('heading', { name: 'The public record', level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await expect(check).toBeVisible();
});
