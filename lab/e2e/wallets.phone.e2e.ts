/** The connect dialog on a phone that has no wallet. No real phone: its browser is Chromium's imitation, and Slush itself is out of reach. */
import { changeHtml, expect, test, watchVotes } from './fixtures.ts';

const PAGE = '/projects/tidepool-swap';

test('a phone without a wallet opens this page in Slush first, with the votes that wait; a recovery phrase comes last [R77 R76]', async ({
  page,
  browser,
  baseURL,
  allowed,
}) => {
  // A public network has no built-in wallet; the policy of a local site does not let the page ask Slush, nor its node for a name.
  allowed.push(/slush\.app|Error fetching metadata|ReverseLookupName/);
  await changeHtml(page, `${PAGE}*`, (html) => html.replace('"network":"localnet"', '"network":"testnet"'));
  await page.goto(`${PAGE}?from=mail`);
  await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' });
  const choices = dialog.getByRole('list', { name: 'Wallets' }).getByRole('listitem');
  await expect(choices).toHaveText([/^Open this page in Slush/, /^Slush.*Google or Apple/]);
  const { origin } = new URL(page.url());
  await expect(choices.first().getByRole('link')).toHaveAttribute(
    'href',
    `https://my.slush.app/browse/${origin}${PAGE}%3Ffrom%3Dmail`,
  );
  await dialog.getByRole('button', { name: 'Get Started' }).click();
  const steps = dialog.getByRole('listitem');
  await expect(steps).toHaveText([/Open this page in Slush/, /Sign in with Google or Apple/, /Sign one message/]);
  await expect(dialog.getByText('recovery phrase')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('region', { name: 'Your vote' }).getByRole('button', { name: 'Bullish' }).click();
  await dialog.getByText('Count my 1 vote', { exact: true }).click();
  await expect(dialog.getByRole('list', { name: 'Your votes' })).toContainText('Tidepool Swap');
  await expect(choices.first()).toContainText('Your 1 vote comes along. Switch it on there.');
  const link = (await choices.first().getByRole('link').getAttribute('href')) ?? '';
  await dialog.getByRole('switch', { name: 'Count my 1 vote' }).click();
  await expect(choices.first()).toContainText('In its app, or on its website.');
  await page.keyboard.press('Escape');

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const other = await context.newPage();
  const calls = watchVotes(other);
  await other.goto(decodeURIComponent(link.slice('https://my.slush.app/browse/'.length)));
  await expect(other.getByText('1 vote came with this link').first()).toBeVisible();
  await expect(other).toHaveURL(`${origin}${PAGE}?from=mail`);
  await other.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click();
  const wallets = other.getByRole('dialog', { name: 'Connect Wallet' });
  await wallets.getByText('Switch on only if you cast them').click();
  await expect(wallets.getByRole('list', { name: 'Your votes' })).toHaveText('Tidepool SwapBullish');
  await expect(wallets.getByRole('switch', { name: 'Count 1 vote that came with this link' })).not.toBeChecked();
  await wallets.getByRole('button', { name: 'Sandbox Wallet' }).click();
  await other.getByRole('dialog', { name: 'Connect to Snapswipe?' }).getByRole('button', { name: 'Approve' }).click();
  await other.getByRole('dialog', { name: 'Sign in' }).getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('dialog', { name: 'Sign this message?' }).getByRole('button', { name: 'Sign' }).click();
  await expect(other.getByRole('banner').getByRole('button', { name: /^0x/ })).toBeVisible();
  await other.goto('/');
  const offer = other.getByRole('region', { name: 'Project cards' });
  await expect(offer.getByRole('heading', { name: 'Count 1 vote from a link?' })).toBeVisible();
  await expect(offer.getByRole('listitem')).toHaveText(/Tidepool Swap.*came with this link.*Bullish/);
  expect(calls).toEqual([]);
  await offer.getByRole('button', { name: 'Count 1 vote' }).click();
  await expect(other.getByText('1 vote counted').first()).toBeVisible();
  await context.close();
});
