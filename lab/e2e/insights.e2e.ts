/** An owner's insights beside the figures: every width, both themes, without barriers. */
import AxeBuilder from '@axe-core/playwright';
import { expectAccessible } from './accessibility.ts';
import { expectFits } from './fit.ts';
import { expect, test } from './fixtures.ts';
import { addOwnProject } from './paying.ts';

test('insights of a new listing fit every width and have no barriers [R50]', async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  // The search for barriers also tries the embedded card, where nothing may run.
  allowed.push(/^Blocked script execution in '\S+\/embed\/\S+' because the document's frame is sandboxed/);
  const { id } = await newUser();
  const name = await addOwnProject(database, id);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/portfolio');
  await page.getByRole('link', { name: `Insights of ${name}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Insights' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your project is live!' })).toBeVisible();
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page, `insights at ${width} px`);
  }
  await expectAccessible(page);
});

test('the card for other sites, of a project and of a missing one, is accessible in both themes [R52]', async ({
  page,
  allowed,
}) => {
  allowed.push(/status of 404 .*\/embed\/no-such-project/);
  for (const theme of ['light', 'dark'])
    for (const slug of ['tidepool-swap', 'no-such-project']) {
      await page.goto(`/embed/${slug}?theme=${theme}`);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(violations.map(({ id, nodes }) => [theme, slug, id, nodes.map(({ html }) => html)])).toEqual([]);
    }
});
