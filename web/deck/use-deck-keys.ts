import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { shortcutOf, useLetterKeys } from '../lib/key-of.ts';
import type { VoteType } from './deck.ts';

const VOTES: Record<string, VoteType> = { ArrowRight: 'bullish', ArrowLeft: 'bearish' };
const UNDO = 'z';
const SKIPS = new Set(['ArrowDown', 's']);

/** Keys belong to the deck when the focus is inside it or nowhere in particular (the page itself, after a change of page). */
function isForDeck(target: EventTarget | null, region: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return region?.contains(target) || target === document.body || target.id === 'main';
}

interface DeckKeys {
  onVote: (vote: VoteType) => void;
  onSkip: () => void;
  onUndo: () => void;
  enabled: boolean;
}

export function useDeckKeys(regionRef: RefObject<HTMLElement | null>, keys: DeckKeys): void {
  const latest = useRef(keys);
  useLetterKeys();
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { onVote, onSkip, onUndo, enabled } = latest.current;
      const modified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (modified || event.defaultPrevented || !isForDeck(event.target, regionRef.current)) return;
      const key = shortcutOf(event);
      if (key === UNDO && !event.repeat) onUndo();
      if (!enabled) return;
      const vote = VOTES[key];
      if (!vote && !SKIPS.has(key)) return;
      event.preventDefault();
      if (event.repeat) return;
      if (vote) onVote(vote);
      else onSkip();
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [regionRef]);
}
