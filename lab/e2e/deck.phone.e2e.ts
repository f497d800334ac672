import type { Locator, Page } from '@playwright/test';
import { expect, test, topCard } from './fixtures.ts';

const idOf = async (page: Page) => (await topCard(page).getAttribute('data-project')) ?? '';

async function swipeUp(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to touch');
  const finger = await page.context().newCDPSession(page);
  const at = (part: number) => ({ x: box.x + box.width / 2 + 8 * part, y: box.y + box.height / 3 - 300 * part });
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0)] });
  for (let step = 1; step <= 10; step += 1)
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(step / 10)] });
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await finger.detach();
}

async function pinch(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to touch');
  const fingers = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...apartPx: number[]) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: apartPx.map((px, id) => ({ x: x + px, y, id })) });
  await send('touchStart', -30);
  await send('touchStart', -30, 30);
  for (let apartPx = 40; apartPx <= 140; apartPx += 10) await send('touchMove', -apartPx, apartPx);
  await send('touchEnd');
  await fingers.detach();
}

test('on a card a finger that moves down scrolls, and two that part zoom, without a vote [S2.12]', async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.goto('/');
  await expect(topCard(page)).toBeVisible();
  const first = await idOf(page);
  await swipeUp(page, topCard(page));
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await expect(topCard(page)).toHaveAttribute('data-project', first);
  await page.evaluate(() => scrollTo(0, 0));
  await pinch(page, topCard(page));
  await expect.poll(() => page.evaluate(() => visualViewport?.scale ?? 0)).toBeGreaterThan(1);
  await expect(topCard(page)).toHaveAttribute('data-project', first);
});
