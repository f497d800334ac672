import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures.ts';

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
