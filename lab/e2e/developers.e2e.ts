/** /developers in a browser: accessible in both themes, its calls work as they are shown, and pages of other sites read the open API. */
import AxeBuilder from '@axe-core/playwright';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { startOtherSite } from './front-door/other-site.ts';

test('the calls shown for the open API work as they are, and axe finds nothing in either theme [R53]', async ({
  page,
}) => {
  await page.goto('/developers');
  await expect(page.locator('link[rel=alternate][type="application/atom+xml"]')).toHaveAttribute('href', '/feed.xml');
  const reference = page.getByRole('region', { name: 'Open endpoints' });
  for (const entry of await reference.getByRole('listitem').all()) {
    await entry.locator('summary').click();
    await expect(entry.getByText(/^curl '/)).not.toContainText('/projects/1');
    const [, url = ''] = /^curl '([^']+)'/.exec((await entry.getByText(/^curl '/).textContent()) ?? '') ?? [];
    const response = await page.request.get(url);
    // Whether a listing names the coin of the example depends on other journeys.
    const expected = url.endsWith('/lookup?coin=0x2::sui::SUI') ? /^(200|404) / : /^200 /;
    expect(`${response.status()} ${url}`).toMatch(expected);
  }
  await expectAccessible(page);
});

test('a page of another site reads the open API, cursors and ETags included, and nothing else [R53]', async ({
  page,
  baseURL,
  allowed,
}) => {
  allowed.push(/blocked by CORS policy/, /net::ERR_FAILED/);
  const site = await startOtherSite('');
  await page.goto(site.url);
  const seen = await page.evaluate(async (origin) => {
    const first = await fetch(`${origin}/api/v1/record/checkpoints?limit=1`);
    const again = await fetch(`${origin}/api/v1/trust`, { headers: { 'if-none-match': '"another"' } });
    const closed = await fetch(`${origin}/api/trust`).catch((error: unknown) => String(error));
    return {
      statuses: [first.status, again.status],
      etag: first.headers.get('etag'),
      total: first.headers.get('x-total-count'),
      closed,
    };
  }, baseURL);
  await site.stop();
  expect(seen).toEqual({
    statuses: [200, 200],
    etag: expect.stringMatching(/^W\//),
    total: expect.stringMatching(/^\d+$/),
    closed: 'TypeError: Failed to fetch',
  });
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
