// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { GUEST_CARDS, VOTE_LOCK_MS } from '#shared/constants.ts';
import { getGuestCards, listProjects } from '#shared/contract/projects.ts';
import { session } from '../../lib/session.ts';
import { GUEST_ID, guestVotes, keepWaiting, VOTE_KEY_PREFIX } from '../../offline/waiting-votes.ts';
import { projectOf } from '../../testing/made-up.ts';
import { dealGuestCards } from './guest.ts';
import { act, draw, useTestPage } from '../../testing/screen.tsx';
import { LandingPage } from './landing-page.tsx';
import { GuestDeck } from './guest-deck.tsx';
import { Features, Steps } from './later.tsx';

const server = useTestPage();
const open = () => act(async () => void draw(<LandingPage Deck={GuestDeck} Steps={Steps} Features={Features} />));

describe('three cards to swipe before signing in', () => {
  const cards = [projectOf(1), projectOf(2), projectOf(3), projectOf(4)].slice(0, GUEST_CARDS);
  const region = () => screen.getByRole('region', { name: 'Cards to try' });
  const top = () => region().querySelector('[data-depth="0"]')?.getAttribute('aria-label');
  const votes = () => guestVotes.get().map(({ project, voteType }) => `${project.name}: ${voteType}`);
  const button = (name: string) => within(region()).getByRole('button', { name });
  let nowMs = 0;
  const key = (name: string) => {
    nowMs += VOTE_LOCK_MS;
    return act(async () => void fireEvent.keyDown(document.body, { key: name }));
  };
  beforeEach(() => {
    HTMLElement.prototype.animate = () => ({ finished: Promise.resolve() }) as unknown as Animation;
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    session.drawAs(undefined);
    dealGuestCards(undefined);
    guestVotes.set([]);
    server().respond(listProjects, [], { total: 0 });
    server().respond(getGuestCards, { cards });
  });
  const openDeck = async () => {
    await open();
    await waitFor(() => expect(top()).toBe('Project 1'));
  };

  test("a visitor's card returns after Z, Undo, or Take back in the list [R76 R46]", async () => {
    await openDeck();
    await key('ArrowRight');
    await key('z');
    expect([top(), votes()]).toEqual(['Project 1', []]);
    await key('ArrowRight');
    fireEvent.click(within(region()).getByRole('button', { name: 'Undo your vote on Project 1' }));
    expect([top(), votes()]).toEqual(['Project 1', []]);
    for (let card = 0; card < GUEST_CARDS; card += 1) await key('ArrowRight');
    fireEvent.click(within(region()).getByRole('button', { name: 'Take back your vote on Project 2' }));
    expect(top()).toBe('Project 2');
    expect(button('Bullish')).not.toHaveAttribute('aria-disabled');
    expect(votes()).toEqual(['Project 1: bullish', 'Project 3: bullish']);
  });

  test("a visitor's last vote removes the buttons and keeps the focus [R76]", async () => {
    await openDeck();
    await key('ArrowRight');
    await key('ArrowRight');
    nowMs += VOTE_LOCK_MS;
    button('Bearish').focus();
    await act(async () => void fireEvent.click(button('Bearish')));
    expect(votes()).toHaveLength(GUEST_CARDS);
    for (const name of ['Bullish', 'Skip', 'Bearish'])
      expect(within(region()).queryByRole('button', { name })).toBeNull();
    expect(region()).toHaveFocus();
  });

  test("a visitor's cards follow the votes of another tab, and take at most three [R76]", async () => {
    await openDeck();
    const vote = (id: number) => ({
      userId: GUEST_ID,
      project: projectOf(id),
      voteType: 'bullish',
      castAtMs: Date.now() + id,
      attemptedAtMs: null,
    });
    for (const id of [1, 8, 9]) localStorage.setItem(`${VOTE_KEY_PREFIX}0:${id}`, JSON.stringify(vote(id)));
    act(() => void dispatchEvent(new StorageEvent('storage', { key: `${VOTE_KEY_PREFIX}0:9` })));
    expect(votes()).toEqual(['Project 1: bullish', 'Project 8: bullish', 'Project 9: bullish']);
    await key('ArrowRight');
    expect(votes()).toHaveLength(3);
  });

  test('votes of a link fill the panel, promise no counting, and no key takes them back [R76]', async () => {
    await openDeck();
    for (const id of [7, 8, 9])
      act(() =>
        keepWaiting({
          userId: GUEST_ID,
          project: projectOf(id),
          voteType: 'bearish',
          castAtMs: Date.now(),
          attemptedAtMs: null,
          isCarried: true,
        }),
      );
    expect(within(region()).getByRole('heading', { name: '3 votes from a link' })).toBeVisible();
    expect(within(region()).getAllByText('came with this link')).toHaveLength(3);
    expect(button('Sign in to choose what counts')).toBeVisible();
    await key('z');
    expect(votes()).toHaveLength(3);
  });

  test("a visitor's cards load again after a failure [R76]", async () => {
    server().lose(getGuestCards);
    await open();
    expect(await screen.findByText('The cards could not be loaded')).toBeVisible();
    server().respond(getGuestCards, { cards });
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(top()).toBe('Project 1'));
  });
});
