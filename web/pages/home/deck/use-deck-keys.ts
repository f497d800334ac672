import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { VoteType } from './deck.ts';

const VOTES: Record<string, VoteType> = { ArrowRight: 'bullish', ArrowLeft: 'bearish' };
const SKIPS = new Set(['ArrowDown', 's', 'S']);

/** Keys belong to the deck when the focus is inside it or nowhere in particular (the page itself, after a change of page). */
function isForDeck(target: EventTarget | null, region: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return region?.contains(target) || target === document.body || target.id === 'main';
}

interface DeckKeys {
  onVote: (vote: VoteType) => void;
  onSkip: () => void;
  enabled: boolean;
}

/** Arrow right and left vote, arrow down or S skips. A key that is held down counts once. */
export function useDeckKeys(regionRef: RefObject<HTMLElement | null>, keys: DeckKeys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { onVote, onSkip, enabled } = latest.current;
      const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (!enabled || modified || event.defaultPrevented || !isForDeck(event.target, regionRef.current)) return;
      const vote = VOTES[event.key];
      if (!vote && !SKIPS.has(event.key)) return;
      event.preventDefault();
      if (event.repeat) return;
      if (vote) onVote(vote);
      else onSkip();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [regionRef]);
}
