/** The connect dialog on a phone that has no wallet. No real phone: its browser is Chromium's imitation, and Slush itself is out of reach. */
import { changeHtml, expect, test } from './fixtures.ts';

const PAGE = '/projects/tidepool-swap';

test('a phone without a wallet opens this page in Slush first, then the web wallet; a recovery phrase comes last [R77]', async ({
  page,
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
  await expect(dialog.getByRole('list', { name: 'Your votes' })).toContainText('Tidepool Swap');
  await expect(choices.first()).toContainText(
    'Your votes stay in this browser. To count them, choose Google or Apple below.',
  );
});
