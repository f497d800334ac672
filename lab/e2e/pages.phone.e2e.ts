import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

for (const [path, heading] of [
  ['/', 'Vote on projects'],
  ['/leaderboard', 'Project Leaderboard'],
  ['/trust', 'Figures you can check'],
  ['/projects/cartographer-s-guild', 'Reviews'],
  ['/profile', 'Edit Profile'],
  ['/subscription', 'Choose Your Plan'],
  ['/developers', 'Open endpoints'],
  ['/trust/record', 'Where it is'],
] as const) {
  test(`${path} at 320 px: nothing cut off, axe finds nothing in either theme [S2.2 S2.4 S2.7]`, async ({
    page,
    newUser,
  }) => {
    await newUser();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await expectAccessible(page);
  });
}
