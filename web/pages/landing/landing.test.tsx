// @vitest-environment happy-dom
/** The landing page of visitors: facts, steps and live examples. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listProjects } from '#shared/contract/projects.ts';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { LandingPage } from './landing-page.tsx';
import { Below, HeroStack } from './later.tsx';

const server = useTestPage();
beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
});
const open = () => act(async () => void draw(<LandingPage Stack={HeroStack} Below={Below} />));

test('says what it is, what a vote pays, and how it works in three steps [S1.2]', async () => {
  server().respond(listProjects, [], { total: 0 });
  await open();
  expect(await screen.findByText('No projects yet')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Swipe. Vote. Earn.');
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items).toEqual(expect.arrayContaining(['10Snaps per vote', '25votes every 6 hours', 'Freeno gas, no fee']));
  const steps = within(screen.getByRole('region', { name: 'How It Works' })).getAllByRole('listitem');
  expect(steps.map((step) => within(step).getByRole('heading').textContent)).toEqual(['Connect', 'Swipe', 'Earn']);
  expect(steps[2]).toHaveTextContent('Each vote adds 10 Snaps to your balance.');
  expect(screen.getByRole('link', { name: 'See the leaderboard' })).toHaveAttribute('href', '/leaderboard');
});

describe('the cards that deal themselves', () => {
  const toggle = () => screen.getByRole('button', { name: /the animation$/ });
  const isStill = () => toggle().closest('[data-paused]')?.getAttribute('data-paused');
  const stack = () => screen.getByText('+10').parentElement as HTMLElement;

  test('are for the eye only, and can be stopped and played', async () => {
    server().respond(listProjects, [], { total: 0 });
    const user = userEvent.setup();
    await open();
    expect(stack()).toHaveAttribute('aria-hidden', 'true');
    expect([toggle().getAttribute('aria-label'), isStill()]).toEqual(['Pause the animation', 'false']);
    await user.click(toggle());
    expect([toggle().getAttribute('aria-label'), isStill()]).toEqual(['Play the animation', 'true']);
    await user.click(toggle());
    expect(isStill()).toBe('false');
  });
});
