import type { Locator, Page } from '@playwright/test';

export async function swipeByTouch(page: Page, target: Locator, distancePx: number, downPx = 0): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to touch');
  const finger = await page.context().newCDPSession(page);
  const at = (part: number) => ({
    x: box.x + box.width / 2 + distancePx * part,
    y: box.y + box.height / 3 + downPx * part,
  });
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0)] });
  for (let step = 1; step <= 10; step += 1) {
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(step / 10)] });
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await finger.detach();
}
