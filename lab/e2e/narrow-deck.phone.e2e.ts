import type { Page } from '@playwright/test';
import { DEMO_PROJECTS } from '#lab/demo/projects.ts';
import { PROJECT_NAME_MAX_CHARS } from '#shared/constants.ts';
import { listProjects } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { waitForAnimations } from './accessibility.ts';
import { deckOf, expect, test, topCard, withoutFirstData } from './fixtures.ts';
import { expectFits } from './fit.ts';
import { ownResponse, respond } from './made-up.ts';
import { stopTime } from './still-time.ts';

const WIDTHS_PX = [320, 360, 375, 390] as const;
const LONG_NAME = 'Very long name of a project '.repeat(3).slice(0, PROJECT_NAME_MAX_CHARS).trim();

async function dealChanged(page: Page, change: (project: Project) => Project): Promise<void> {
  await page.route('**/api/projects?userId=*', async (route) => {
    const projects = (await ownResponse(route, listProjects)).slice(0, 3);
    await respond(route, listProjects, projects.map(change));
  });
  await withoutFirstData(page, '/');
  await page.goto('/');
  await expect(topCard(page)).toBeVisible();
}

function readLanded(): { nameShownPx: number; isPressable: boolean[] } {
  const line = document.querySelector('[data-reveal] p');
  const [place, name] = [line, line?.querySelector('b')].map((part) => part?.getBoundingClientRect());
  const buttons = [...document.querySelectorAll('[data-reveal] button')];
  return {
    nameShownPx: place && name ? Math.min(place.right, name.right) - name.left : 0,
    isPressable: buttons.map((button) => {
      const box = button.getBoundingClientRect();
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return box.left >= 0 && box.right <= innerWidth && button.contains(hit);
    }),
  };
}

test('the landed card shows a long name and keeps both of its buttons on narrow screens [R59 R46]', async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.clock.install();
  await dealChanged(page, (project) => ({ ...project, name: LONG_NAME }));
  // The time for an undo would pass.
  await stopTime(page);
  await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).click();
  const landed = page.locator('[data-reveal]');
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(landed).toContainText(`Bullish on ${LONG_NAME}`, { timeout: 500 });
  }).toPass();
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 664 });
    const { nameShownPx, isPressable } = await page.evaluate(readLanded);
    expect(nameShownPx, `on ${width} px`).toBeGreaterThan(60);
    expect(isPressable, `on ${width} px`).toEqual([true, true]);
  }
  await page.clock.resume();
  await landed.getByRole('button', { name: 'Show result' }).click();
  await expect(landed).toHaveText(/^(\d+ of \d+ others? voted like you|First vote on this project).* · Very long /);
});

function covered(texts: Element[]): string[] {
  const boxes = texts.map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }));
  return boxes.flatMap(({ text, box }, at) =>
    boxes
      .slice(at + 1)
      .filter(({ box: other }) => box.left < other.right && other.left < box.right)
      .filter(({ box: other }) => box.top < other.bottom && other.top < box.bottom)
      .map((other) => `${text} / ${other.text}`),
  );
}

test("a card's category, source, votes, reason and warning are apart and can be read on narrow screens [R70 R74]", async ({
  page,
  newUser,
}) => {
  await newUser();
  await dealChanged(page, (project) => ({
    ...project,
    createdAt: new Date().toISOString(),
    category: 'Infrastructure',
    totalVotes: 1_333_332,
    listing: {
      ...project.listing,
      source: 'paid',
      lookAlike: { slug: 'cetus', name: LONG_NAME, since: project.createdAt },
    },
  }));
  const card = topCard(page);
  const texts = card.getByText(/^(New|Still bullish\?|Infrastructure · Paid listing|1,333,332 votes|Looks like .*)$/);
  const warning = card.getByText(new RegExp(`^Looks like ${LONG_NAME}, listed since`));
  await expect(warning).toBeVisible();
  expect(await texts.count()).toBeGreaterThanOrEqual(3);
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 568 });
    await waitForAnimations(page);
    expect(await texts.evaluateAll(covered), `on ${width} px`).toEqual([]);
    expect(await warning.evaluate((line) => [line.scrollWidth, line.scrollHeight])).toEqual(
      await warning.evaluate((line) => [line.clientWidth, line.clientHeight]),
    );
    await expectFits(page, `a card on ${width} px`);
  }
});

const SIZES = '320x568 360x640 390x664 390x844 768x1024 844x390 1024x768 1366x657 1440x900';

/** Words that are broken over two lines though the element could have them on one. */
function brokenWords(element: Element, names: readonly string[]): string[] {
  const range = document.createRange();
  return names.flatMap((name) => {
    element.textContent = name;
    const [text] = element.childNodes;
    return [...name.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      if (!text) return [];
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1 ? [word] : [];
    });
  });
}

test('no word of a name is broken on a card of any size [S1.2]', async ({ page, newUser }) => {
  await newUser();
  const names = DEMO_PROJECTS.map(({ name }) => name);
  await page.goto('/');
  const name = topCard(page).locator('h2 [title]');
  for (const size of SIZES.split(' ')) {
    const [width = 0, height = 0] = size.split('x').map(Number);
    await page.setViewportSize({ width, height });
    expect(await name.evaluate(brokenWords, names), size).toEqual([]);
  }
});
