import type { VoteType } from './deck.ts';
import { reducedMotion } from './swipe.ts';
import { dragPose, flightOf, type Launch } from './swipe-math.ts';

export type Exit = VoteType | 'skip';

export const STILL: Launch = { dx: 0, dy: 0, degrees: 0, velocity: { x: 0, y: 0 } };

/** From where app.css shows a vote that waits for the code. */
export const EARLY_LAUNCH: Record<VoteType, Launch> = {
  bullish: { ...STILL, dx: 32, degrees: 5 },
  bearish: { ...STILL, dx: -32, degrees: -5 },
};

const FADE_MS = 140;
const SKIP_MS = 260;
const RETURN_MS = 420;
const SETTLE = 'cubic-bezier(0.22, 1.2, 0.36, 1)';

/** Widths of the card and the screen. They are read before anything is changed, so that reading them causes no new layout. */
export interface Widths {
  cardPx: number;
  screenPx: number;
}

export const widthsOf = (card: HTMLElement): Widths => ({ cardPx: card.offsetWidth, screenPx: innerWidth });

export function flyOut(card: HTMLElement, exit: Exit, launch: Launch, { cardPx, screenPx }: Widths): Animation {
  const hold: KeyframeAnimationOptions = { fill: 'forwards', easing: 'ease-out' };
  if (reducedMotion()) return card.animate([{ opacity: 1 }, { opacity: 0 }], { ...hold, duration: FADE_MS });
  if (exit === 'skip') {
    const tucked = { transform: 'translate3d(0, 56px, 0) scale(0.88)', opacity: 0 };
    return card.animate([{ transform: 'none', opacity: 1 }, tucked], { ...hold, duration: SKIP_MS });
  }
  card.querySelector<HTMLElement>(`[data-stamp="${exit}"]`)?.style.setProperty('opacity', '1');
  const flight = flightOf(exit, launch, cardPx, screenPx);
  const from = { transform: dragPose(launch.dx, launch.dy, launch.degrees), opacity: 1 };
  const easing = launch.velocity.x === 0 ? 'ease-in' : 'cubic-bezier(0.3, 0.6, 0.7, 1)';
  return card.animate([from, { opacity: 1, offset: 0.6 }, { transform: flight.pose, opacity: 0 }], {
    ...hold,
    easing,
    duration: flight.durationMs,
  });
}

export function callBack(card: HTMLElement): void {
  const { transform, opacity } = getComputedStyle(card);
  for (const animation of card.getAnimations()) animation.cancel();
  for (const element of [card, ...card.querySelectorAll('[data-stamp]')]) element.removeAttribute('style');
  const durationMs = reducedMotion() ? FADE_MS : RETURN_MS;
  card.animate(
    [
      { transform, opacity },
      { transform: 'none', opacity: 1 },
    ],
    { duration: durationMs, easing: SETTLE },
  );
}
