import { type listProjects } from '#shared/contract/projects.ts';
import { listVotes } from '#shared/contract/users.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { expect, test } from './fixtures.ts';
import { respond } from './made-up.ts';

test('Back from a project, and a reload there, return to its line in the diary [R90]', async ({ page, newUser }) => {
  await newUser();
  const now = new Date().toISOString();
  await page.route('**/api/users/*/votes', async (route) => {
    const listed = (await (await page.request.get('/api/projects')).json()) as ResponseOf<typeof listProjects>;
    const votes = listed.slice(0, 4).map(({ id, slug, name, category, imageUrl }) => ({
      id: String(id),
      voteType: 'bullish' as const,
      tokensEarned: 10,
      createdAt: now,
      since: now,
      saidAt: now,
      changeableFrom: null,
      state: 'verified' as const,
      period: 1,
      opinions: [{ voteType: 'bullish' as const, saidAt: now, identity: 1 }],
      counts: true,
      evidence: { isDecided: true, daysRead: 35, daysHeld: 30 },
      when: null,
      detail: null,
      call: { before: { bullish: 71, bearish: 29 }, now: { bullish: 52, bearish: 48 }, move: 'away' as const },
      project: { id, slug, name, category, imageUrl },
    }));
    await respond(route, listVotes, votes);
  });
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'See all your calls' }).click();
  const last = page.getByRole('list', { name: 'All your calls' }).getByRole('link').last();
  await last.click();
  await expect(page).toHaveURL(/\/projects\//);
  await page.goBack();
  await expect(last).toBeInViewport();
  await page.reload();
  await expect(last).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Your calls' })).not.toBeFocused();
});
