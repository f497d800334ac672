import type { VoteType } from './deck.ts';
import {
  dragPose,
  follow,
  isFarEnough,
  restPose,
  riseOf,
  SLOP_PX,
  stampOpacity,
  swipeVote,
  tilt,
  velocityOf,
  type Launch,
  type Sample,
} from './swipe-math.ts';

export interface SwipeHandlers {
  onSwipe: (vote: VoteType, launch: Launch) => boolean;
  canVote: () => boolean;
}

const SAMPLES_KEPT = 12;

interface Drag {
  pointerId: number;
  card: HTMLElement;
  start: { x: number; y: number };
  /** Where the card was when it was caught, if it was still springing back. */
  from: { x: number; y: number };
  samples: Sample[];
  lowGrip: boolean;
  moving: boolean;
  free: boolean;
  tilts: boolean;
  isFar: boolean;
  stamps: Record<VoteType, HTMLElement | null>;
  below: HTMLElement[];
}

function currentOffset(card: HTMLElement): { x: number; y: number } {
  const { transform } = getComputedStyle(card);
  if (transform === 'none') return { x: 0, y: 0 };
  const { m41, m42 } = new DOMMatrixReadOnly(transform);
  return { x: m41, y: m42 };
}

function beginDrag(stack: HTMLElement, card: HTMLElement, event: PointerEvent): Drag {
  const box = card.getBoundingClientRect();
  const stamp = (vote: VoteType) => card.querySelector<HTMLElement>(`[data-stamp="${vote}"]`);
  return {
    pointerId: event.pointerId,
    card,
    start: { x: event.clientX, y: event.clientY },
    from: { x: 0, y: 0 },
    samples: [{ x: event.clientX, y: event.clientY, timeMs: event.timeStamp }],
    lowGrip: event.clientY > box.top + box.height / 2,
    moving: false,
    free: true,
    tilts: !reducedMotion(),
    isFar: false,
    stamps: { bullish: stamp('bullish'), bearish: stamp('bearish') },
    below: ['1', '2'].flatMap((depth) => stack.querySelector<HTMLElement>(`[data-depth="${depth}"]`) ?? []),
  };
}

function addSample({ samples }: Drag, { clientX: x, clientY: y, timeStamp: timeMs }: PointerEvent): void {
  const last = samples.at(-1);
  if (last?.x === x && last.y === y) return;
  samples.push({ x, y, timeMs });
  if (samples.length > SAMPLES_KEPT) samples.shift();
}

function leaveOf({ start }: Drag, event: PointerEvent): number {
  const dx = event.clientX - start.x;
  return event.pointerType === 'touch' ? Math.abs(dx) : Math.hypot(dx, event.clientY - start.y);
}

function placeOf(drag: Drag) {
  const last = drag.samples.at(-1);
  const way = { x: (last?.x ?? 0) - drag.start.x, y: (last?.y ?? 0) - drag.start.y };
  const dx = drag.from.x + follow(way.x, drag.free);
  const dy = drag.from.y + follow(way.y, drag.free);
  return { way, dx, dy, degrees: drag.tilts ? tilt(dx, drag.lowGrip) : 0 };
}

const TICK_MS = 8;

/** A tick in the hand where the release would vote. Browsers refuse it, with an error, before the first press of a page has ended. */
function tick(drag: Drag, dx: number): void {
  const isFar = drag.free && isFarEnough(dx);
  if (isFar && !drag.isFar && drag.tilts && 'vibrate' in navigator && navigator.userActivation.hasBeenActive)
    navigator.vibrate(TICK_MS);
  drag.isFar = isFar;
}

function draw(drag: Drag): void {
  const { way, dx, dy, degrees } = placeOf(drag);
  tick(drag, way.x);
  drag.card.style.transform = dragPose(dx, dy, degrees);
  const opacity = drag.free ? String(stampOpacity(dx)) : '0';
  const { bullish, bearish } = drag.stamps;
  if (bullish) bullish.style.opacity = dx > 0 ? opacity : '0';
  if (bearish) bearish.style.opacity = dx < 0 ? opacity : '0';
  if (!drag.free) return;
  const rise = riseOf(dx);
  drag.below.forEach((card, index) => {
    card.style.transform = restPose(index + 1 - rise);
  });
}

export function releaseStyles(drag: Pick<Drag, 'card' | 'stamps' | 'below'>): void {
  for (const element of [drag.card, drag.stamps.bullish, drag.stamps.bearish]) element?.removeAttribute('style');
  for (const card of drag.below) card.removeAttribute('style');
}

export const reducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Makes the top card (`[data-depth="0"]`) draggable; returns how to stop. A press without a move stays a click. */
export function attachSwipe(stack: HTMLElement, handlers: SwipeHandlers): () => void {
  let drag: Drag | null = null;
  let frame = 0;
  const listeners = new AbortController();
  const { signal } = listeners;

  function end(event: PointerEvent | null): void {
    const ended = drag;
    if (!ended || (event && event.pointerId !== ended.pointerId)) return;
    // A finger's press is captured by what it touched; that ends when the card takes over, and the drag continues.
    if (event?.type === 'lostpointercapture' && event.target !== ended.card) return;
    drag = null;
    cancelAnimationFrame(frame);
    frame = 0;
    if (!ended.moving) return;
    if (event?.type === 'pointerup') addSample(ended, event);
    const { way, ...place } = placeOf(ended);
    const velocity = velocityOf(ended.samples, event?.timeStamp ?? 0);
    const vote = event?.type === 'pointerup' && ended.free ? swipeVote(way.x, velocity.x) : null;
    const taken = vote !== null && handlers.onSwipe(vote, { ...place, velocity });
    if (taken) for (const card of ended.below) card.removeAttribute('style');
    else releaseStyles(ended);
    // This comes last, so that the measurements before it cause no new layout.
    stack.removeAttribute('data-dragging');
    // The click that follows a drag is swallowed; it comes in this very task or not at all.
    const swallow = (click: MouseEvent) => {
      click.preventDefault();
      click.stopPropagation();
    };
    stack.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => stack.removeEventListener('click', swallow, { capture: true }), 0);
  }

  /** A second finger on the screen means zoom: the first one votes no more. */
  function onFurtherFinger({ isPrimary }: PointerEvent): void {
    if (!isPrimary) end(null);
  }

  /** On an enlarged page one finger moves what is seen, also sideways. */
  const isZoomed = () => (window.visualViewport?.scale ?? 1) > 1;
  const onZoom = () => stack.toggleAttribute('data-zoomed', isZoomed());

  function onDown(event: PointerEvent): void {
    if (drag?.moving || !event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return;
    if (event.pointerType === 'touch' && isZoomed()) return;
    const card = event.target.closest<HTMLElement>('[data-depth="0"]');
    // A card of another stack lies over this one.
    if (card?.parentElement === stack) drag = beginDrag(stack, card, event);
  }

  function onMove(event: PointerEvent): void {
    if (drag?.pointerId !== event.pointerId) return;
    if (event.buttons === 0 || !drag.card.isConnected) return end(null);
    addSample(drag, event);
    if (!drag.moving) {
      if (leaveOf(drag, event) < SLOP_PX) return;
      drag.moving = true;
      drag.free = handlers.canVote();
      drag.from = currentOffset(drag.card);
      // Only now: capturing at the press would send the click of a link to the card.
      drag.card.setPointerCapture(event.pointerId);
      stack.dataset.dragging = '';
    }
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (drag) draw(drag);
    });
  }

  stack.addEventListener('pointerdown', onDown, { signal });
  addEventListener('pointerdown', onFurtherFinger, { signal });
  window.visualViewport?.addEventListener('resize', onZoom, { signal });
  stack.addEventListener('pointermove', onMove, { signal, passive: true });
  stack.addEventListener('pointerup', end, { signal });
  stack.addEventListener('pointercancel', end, { signal });
  stack.addEventListener('lostpointercapture', end, { signal });
  stack.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
  return () => {
    end(null);
    listeners.abort();
  };
}
