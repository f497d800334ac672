// @vitest-environment happy-dom
/** The landing page of visitors: facts, steps and live examples. */
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { listProjects } from '#shared/contract/projects.ts';
import { projectOf } from '../../testing/made-up.ts';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { LandingPage } from './landing-page.tsx';

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
const open = () => act(async () => void draw(<LandingPage />));
const examples = () =>
  screen
    .getAllByRole('link')
    .flatMap((link) => (link.getAttribute('href')?.startsWith('/projects/') ? (link.closest('li') ?? []) : []));

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

test('shows three live projects: green from half bullish on, red below [S1.2 S2.18]', async () => {
  const votes = (bullishCount: number, bearishCount: number) => ({
    bullishCount,
    bearishCount,
    totalVotes: bullishCount + bearishCount,
  });
  const rows = [projectOf(1, votes(1, 1)), projectOf(2, votes(49, 51)), projectOf(3), projectOf(4)];
  server().respond(listProjects, rows, { total: 4 });
  await open();
  await screen.findByText('Project 1');
  const [half, less, none] = examples();
  expect(examples().map((card) => within(card).getByRole('link').getAttribute('href'))).toEqual([
    '/projects/project-1',
    '/projects/project-2',
    '/projects/project-3',
  ]);
  expect(half).toHaveTextContent('50%');
  expect(half).toHaveTextContent('2 votes');
  expect(
    within(half as HTMLElement)
      .getByText(/50%/)
      .closest('[class*=bull]'),
  ).not.toBeNull();
  expect(
    within(less as HTMLElement)
      .getByText(/49%/)
      .closest('[class*=bear]'),
  ).not.toBeNull();
  expect(none).toHaveTextContent('0 votes');
});

test('examples that cannot be read say so and can be read again', async () => {
  server().failSilently(listProjects);
  const user = userEvent.setup();
  await open();
  expect(await screen.findByText('Failed to fetch preview projects')).toBeVisible();
  server().respond(listProjects, [projectOf(5)], { total: 1 });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Project 5')).toBeVisible();
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

  test('rest after each play, drawn again from the start, so that the next play begins when it is asked for', async () => {
    server().respond(listProjects, [], { total: 0 });
    const user = userEvent.setup();
    await open();
    const before = stack();
    fireEvent.animationEnd(screen.getByText('+10'));
    expect(isStill()).toBe('true');
    expect(stack()).not.toBe(before);
    const second = stack();
    await user.click(toggle());
    expect(isStill()).toBe('false');
    expect(stack()).toBe(second);
    fireEvent.animationEnd(screen.getByText('+10'));
    expect(stack()).not.toBe(second);
  });

  test('each shows a vote in its color, with the word', async () => {
    server().respond(listProjects, [], { total: 0 });
    await open();
    const marks = within(stack()).getAllByText(/^B(ULL|EAR)ISH$/);
    expect(marks.map(({ textContent, className }) => [textContent, /text-(bull|bear)/.exec(className)?.[0]])).toEqual([
      ['BULLISH', 'text-bull'],
      ['BEARISH', 'text-bear'],
      ['BULLISH', 'text-bull'],
    ]);
    expect(stack()).toHaveTextContent(/Tidepool.*BULLISH.*Moonfish.*BEARISH.*Kelp Guild.*BULLISH/);
  });
});
