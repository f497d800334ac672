import { expectAccessible } from './accessibility.ts';
import { deckOf, endElsewhere, expect, OWN_READS_401, test, topCard } from './fixtures.ts';

test('beside the deck the offer is readable in both themes and leaves the card in sight', async ({
  page,
  newUser,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await newUser();
  await page.clock.install();
  await page.goto('/');
  await expect(deckOf(page).getByText('25 votes left')).toBeVisible();
  await endElsewhere(page);
  await page.clock.fastForward(5_000);
  await expect(page.getByRole('alert').filter({ hasText: 'Your session has ended' })).toBeVisible();
  await expect(topCard(page)).toBeInViewport();
  await expectAccessible(page);
});
