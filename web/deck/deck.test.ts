import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { FEED_LIMIT, STACK_CARDS, VOTE_LOCK_MS } from '#shared/constants.ts';
import { projectOf } from '../testing/made-up.ts';
import {
  takeTop,
  dealFirst,
  emptyDeck,
  mergeFeed,
  skipTop,
  topCard,
  visibleCards,
  voteCounted,
  voteFailed,
  voteFinished,
  voteReleased,
  votesWait,
  type Deck,
} from './deck.ts';

const project = (id: number, bullishCount = 0) => projectOf(id, { bullishCount, totalVotes: bullishCount });
const projects = (...ids: number[]) => ids.map((id) => project(id));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const deckOf = (...ids: number[]) => mergeFeed(emptyDeck(7), projects(...ids));
const ids = (deck: Deck) => deck.queue.map(({ id }) => id);
const later = (deck: Deck) => deck.lockedUntilMs;

describe('the cards of the day [R49]', () => {
  const idsOf = ({ queue }: Deck) => queue.map(({ id }) => id);
  const dealt = (feed: number[], first: number[], limit = 10) =>
    mergeFeed(
      emptyDeck(7),
      feed.map((id) => project(id)),
      limit,
      first.map((id) => project(id)),
    );

  test('the cards of the day come first, in their own order, each once', () => {
    expect(idsOf(dealt([1, 2, 3], [3, 1]))).toEqual([3, 1, 2]);
  });

  test('a full page of the feed keeps cards of the day that it lacks, and a whole feed removes them', () => {
    expect(idsOf(dealt([1, 2], [9, 1], 2))).toEqual([9, 1, 2]);
    expect(idsOf(dealt([1, 2], [9, 1], 10))).toEqual([1, 2]);
  });

  test('cards of the day show the numbers of the feed', () => {
    const deck = mergeFeed(emptyDeck(7), [project(1, 5)], 10, [project(1)]);
    expect(deck.queue[0]?.totalVotes).toBe(5);
  });
});

describe('votes that were cast elsewhere, and those that were taken back [R46 R48]', () => {
  const start = mergeFeed(emptyDeck(7), [project(1), project(2), project(3)], 10);
  const idsOf = ({ queue }: Deck) => queue.map(({ id }) => id);

  test('releasing a vote keeps the other votes in the order in which they were cast', () => {
    const [, , third] = start.queue;
    if (!third) throw new Error('no third card');
    const cast = takeTop(takeTop(start, 1, 0), 2, VOTE_LOCK_MS);
    const released = voteReleased(votesWait(cast, [third]), 3);
    expect(released.castIds).toEqual([1, 2]);
    expect(idsOf(voteFailed(voteFailed(released, 1), 2))).toEqual([1, 2]);
  });

  test('an undone vote puts its card on top, and the next feed keeps it there', () => {
    const back = dealFirst(voteCounted(start, 2), project(2));
    expect(idsOf(back)).toEqual([2, 1, 3]);
    expect(idsOf(mergeFeed(back, [project(1), project(2), project(3)], 10))).toEqual([2, 1, 3]);
  });

  test('a skipped card returns without its mark after an undo, a failed vote, or a link to it [S4.4]', () => {
    const skipped = skipTop(start);
    const waited = voteFailed(votesWait(skipped, projects(1)), 1);
    for (const back of [dealFirst(voteCounted(skipped, 1), project(1)), waited, dealFirst(skipped, project(1))]) {
      expect(idsOf(mergeFeed(back, projects(3, 2, 1), 10))).toEqual([1, 2, 3]);
    }
  });

  test('a card whose vote is in flight is not dealt again [R48]', () => {
    const cast = takeTop(start, 1, 1000);
    expect(dealFirst(cast, project(1))).toBe(cast);
  });
});

test('three cards are drawn at most, the top one first [S2.12 S9.3]', () => {
  expect(visibleCards(deckOf(4, 2, 9, 1)).map(({ id }) => id)).toEqual([4, 2, 9]);
  expect(visibleCards(deckOf(4, 2))).toHaveLength(2);
  expect(STACK_CARDS).toBe(3);
  expect(topCard(deckOf())).toBeUndefined();
});

test('a feed that has not loaded differs from an empty one [S2.14]', () => {
  expect(emptyDeck(7).loaded).toBe(false);
  expect(deckOf()).toMatchObject({ loaded: true, queue: [] });
});

test.each([
  [1, 2],
  [2, 1],
])('two failed votes leave the deck as it was, also when vote %i fails before vote %i [S4.4]', (first, second) => {
  const start = deckOf(1, 2, 3);
  const one = takeTop(start, 1, 1000);
  const both = takeTop(one, 2, later(one));
  const back = voteFailed(voteFailed(both, first), second);
  expect(ids(back)).toEqual([1, 2, 3]);
  const again = takeTop(back, 1, later(back));
  expect(ids(voteFailed(again, 1))).toEqual([1, 2, 3]);
});

test('a second vote is locked for 300 ms [S4.4 S5.2 S9.3]', () => {
  const deck = takeTop(deckOf(1, 2, 3), 1, 1000);
  expect(VOTE_LOCK_MS).toBe(300);
  expect(takeTop(deck, 2, 1299)).toBe(deck);
  expect(ids(takeTop(deck, 2, 1300))).toEqual([3]);
});

test('only the top card can be voted on [S2.12]', () => {
  const deck = deckOf(1, 2);
  expect(takeTop(deck, 2, 1000)).toBe(deck);
  expect(takeTop(deckOf(), 1, 1000).pending).toEqual([]);
});

const waits = votesWait(deckOf(1, 2, 3), projects(2, 9));

test('votes that wait remove their cards from the deck and from the next feed', () => {
  expect(ids(waits)).toEqual([1, 3]);
  expect(ids(mergeFeed(waits, projects(1, 2, 3, 9)))).toEqual([1, 3]);
  expect(votesWait(waits, projects(2))).toBe(waits);
  expect(votesWait(voteFinished(waits, 2), projects(2)).pending.map(({ id }) => id)).toEqual([9]);
});

test('cards of returned votes come back on top in the order in which the votes were cast', () => {
  expect(ids(voteFailed(voteFailed(waits, 9), 2))).toEqual([2, 9, 1, 3]);
});

test('a card whose vote another tab has decided returns only with the next feed', () => {
  const released = voteReleased(waits, 2);
  expect(ids(mergeFeed(released, projects(1, 2, 3)))).toEqual([1, 3, 2]);
  expect(ids(mergeFeed(released, projects(1, 3)))).toEqual([1, 3]);
  expect(voteReleased(released, 2)).toBe(released);
});

test('a skip moves the top card to the back, behind cards that were not skipped [S2.12 S4.4]', () => {
  const deck = skipTop(deckOf(1, 2, 3));
  expect(ids(deck)).toEqual([2, 3, 1]);
  expect(ids(mergeFeed(deck, projects(1, 2, 3, 4)))).toEqual([2, 3, 4, 1]);
  expect(ids(skipTop(skipTop(skipTop(deckOf(1, 2, 3)))))).toEqual([1, 2, 3]);
  const none = deckOf();
  expect(skipTop(none)).toBe(none);
});

test('a returned card comes before one that returned earlier and was skipped since [S4.4 S8.15]', () => {
  const start = votesWait(deckOf(1, 2), projects(1, 2));
  const deck = voteFailed(skipTop(voteFailed(start, 1)), 2);
  expect(ids(deck)).toEqual([2, 1]);
});

test('a new feed updates known cards in place and adds new ones at the end [S4.5]', () => {
  const deck = mergeFeed(deckOf(3, 1, 2), [project(4), project(2, 5), project(1), project(3)]);
  expect(ids(deck)).toEqual([3, 1, 2, 4]);
  expect(deck.queue[2]?.bullishCount).toBe(5);
});

test('a feed from before a vote does not bring its card back, in flight or counted [S4.5]', () => {
  const cast = takeTop(deckOf(1, 2), 1, 1000);
  expect(ids(mergeFeed(cast, projects(1, 2)))).toEqual([2]);
  expect(ids(mergeFeed(voteFinished(cast, 1), projects(1, 2)))).toEqual([2]);
});

test('a card that a whole feed lacks is removed, and one that a full page lacks is kept [S4.6 R11]', () => {
  expect(ids(mergeFeed(deckOf(1, 2, 3), projects(1, 3)))).toEqual([1, 3]);
  const page = projects(...range(1, FEED_LIMIT));
  expect(ids(mergeFeed(deckOf(99, 1), page))).toEqual([99, ...range(1, FEED_LIMIT)]);
  expect(ids(mergeFeed(deckOf(99, 1), projects(1, 2, 3), 3))).toEqual([99, 1, 2, 3]);
  expect(ids(mergeFeed(deckOf(99, 1), projects(1, 2, 3), 4))).toEqual([1, 2, 3]);
});

test('an unchanged feed returns the same deck', () => {
  const feed = projects(1, 2, 3);
  const deck = mergeFeed(emptyDeck(7), feed);
  expect(mergeFeed(deck, feed.toReversed())).toBe(deck);
  for (const at of [0, 1, 2]) {
    const changed = feed.with(at, project(at + 1, 5));
    expect(mergeFeed(deck, changed).queue).toEqual(changed);
  }
});

test('after any events no card is double, none is both dealt and voted on, and skipped ones come last [S4.4]', () => {
  const id = fc.integer({ min: 1, max: 12 });
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('vote', 'skip', 'fail', 'finish', 'wait', 'release'), id }),
    fc.record({ kind: fc.constantFrom('deal', 'count', 'wait', 'finish'), id }),
    fc.record({ kind: fc.constant('feed'), feed: fc.uniqueArray(id), first: fc.uniqueArray(id), limit: id }),
  );
  type Step = typeof step extends fc.Arbitrary<infer Event> ? Event : never;
  const after = (deck: Deck, event: Step): Deck => {
    if ('feed' in event) return mergeFeed(deck, projects(...event.feed), event.limit, projects(...event.first));
    const underWay = deck.pending[0]?.id ?? -1;
    const cards = projects(...(underWay > 0 ? [underWay, event.id] : [event.id]));
    const changes = {
      vote: () => takeTop(deck, topCard(deck)?.id ?? -1, later(deck)),
      skip: () => skipTop(deck),
      fail: () => voteFailed(deck, underWay),
      finish: () => voteFinished(deck, underWay > 0 ? underWay : event.id),
      count: () => voteCounted(deck, event.id),
      wait: () => votesWait(deck, cards),
      release: () => voteReleased(deck, underWay),
      deal: () => dealFirst(deck, project(event.id)),
    };
    return changes[event.kind]();
  };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let deck = deckOf(1, 2, 3, 4);
      for (const event of steps) {
        deck = after(deck, event);
        const all = [...ids(deck), ...deck.pending.map((card) => card.id)];
        expect(new Set(all).size).toBe(all.length);
        expect(all.filter((each) => deck.votedIds.has(each))).toEqual([]);
        const marks = ids(deck).map((each) => deck.skippedIds.has(each));
        expect(marks).toEqual(marks.toSorted((a, b) => Number(a) - Number(b)));
      }
    }),
    runs(1_000),
  );
});
