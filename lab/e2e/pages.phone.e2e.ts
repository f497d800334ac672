import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

/** Words of headings that end on another line than they begin. */
function brokenWords(): string[] {
  const range = document.createRange();
  const broken: string[] = [];
  for (const heading of document.querySelectorAll('h1, h2, h3')) {
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const { 0: word, index } of (texts.currentNode as Text).data.matchAll(/[^\s-]+/g)) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
      }
  }
  return broken;
}

const PAGES = [
  ['/', 'Vote on projects'],
  ['/leaderboard', 'Project Leaderboard'],
  ['/trust', 'Figures you can check'],
  ['/projects/cartographer-s-guild', 'Reviews'],
  ['/profile', 'Edit Profile'],
  ['/subscription', 'Choose Your Plan'],
  ['/developers', 'Open endpoints'],
  ['/trust/record', 'Where it is'],
] as const;

test('at 320 px no page cuts anything off or breaks a title inside a word, and axe finds nothing in either theme [S2.2 S2.4 S2.7]', async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [path, heading] of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    expect.soft(await page.evaluate(brokenWords), path).toEqual([]);
    await expectAccessible(page);
  }
});
