import { newRows, readEntry, writeEntry } from '../lib/entry-state.ts';

const REST_MS = 100;
/** Time for a page to draw its next rows after they were read, and time for which a restored position is held. */
const GIVE_UP_MS = 10_000;
const HOLD_MS = 400;
const OWN_MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

let isRestoring = false;
let stopRestoring = () => {};

function keepPlace(): void {
  if (!isRestoring) writeEntry('scrollY', Math.round(scrollY));
}

/** Restores the scroll position also on pages whose rows come later: browsers do so only where the height exists at once. */
function restorePlace(): void {
  stopRestoring();
  const wanted = readEntry().scrollY;
  if (wanted === undefined) return;
  let endsAtMs = performance.now() + GIVE_UP_MS;
  let frame = 0;
  let isReached = false;
  const step = () => {
    if (readEntry().scrollY !== wanted) return stopRestoring();
    const before = scrollY;
    if (Math.abs(scrollY - wanted) > 1) scrollTo({ top: wanted, behavior: 'instant' });
    // Before looking at the clock: drawing the rows may have taken long, and they are what was waited for.
    if (!isReached) {
      isReached = Math.abs(scrollY - wanted) <= 1;
      if (isReached) endsAtMs = performance.now() + HOLD_MS;
      else if (scrollY > before || newRows.areComing()) endsAtMs = performance.now() + GIVE_UP_MS;
    }
    if (performance.now() > endsAtMs) return stopRestoring();
    frame = requestAnimationFrame(step);
  };
  isRestoring = true;
  stopRestoring = () => {
    isRestoring = false;
    cancelAnimationFrame(frame);
    for (const move of OWN_MOVES) removeEventListener(move, stopRestoring);
  };
  for (const move of OWN_MOVES) addEventListener(move, stopRestoring, { passive: true });
  step();
}

export function keepPlaces(): void {
  let rest = 0;
  const onScroll = () => {
    clearTimeout(rest);
    rest = window.setTimeout(keepPlace, REST_MS);
  };
  addEventListener('scroll', onScroll, { passive: true });
  // Runs before a link is followed, which may be before scrolling ends.
  addEventListener('click', keepPlace, { capture: true });
  addEventListener('pagehide', keepPlace);
  addEventListener('popstate', restorePlace);
  restorePlace();
}
