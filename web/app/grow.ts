import { flushSync } from 'react-dom';

const NAME = 'picture';
const STILL = '(prefers-reduced-motion: reduce)';

let pressed: HTMLElement | null = null;

function pictureBy(target: EventTarget | null): HTMLElement | null {
  const link = target instanceof Element ? target.closest('a[href^="/projects/"]') : null;
  const find = (part: Element | null | undefined) =>
    part?.querySelector<HTMLElement>('[data-grows]:not([data-grown] *)') ?? null;
  return find(link) ?? find(link?.closest('li, article'));
}

function onClick({ target }: MouseEvent): void {
  pressed = pictureBy(target);
  // The link is followed in this very task or not at all.
  setTimeout(() => {
    pressed = null;
  });
}

/** Draws the next page with the pressed picture in the place of its own until that has been loaded. */
function drawGrown(picture: HTMLElement): HTMLElement | null {
  flushSync(() => void dispatchEvent(new Event('pushState')));
  const place = document.querySelector<HTMLElement>('[data-grown]');
  const image = picture.matches('img') ? picture : picture.querySelector('img');
  if (place && image instanceof HTMLImageElement) place.style.backgroundImage = `url("${image.currentSrc}")`;
  return place;
}

/** wouter says with this event that the address has changed, and the page is drawn again: here within a transition (R98). */
const onPush = (isLoaded: (path: string) => boolean) => (event: Event) => {
  const picture = pressed;
  pressed = null;
  if (!picture || !isLoaded(location.pathname) || matchMedia(STILL).matches) return;
  event.stopImmediatePropagation();
  let place: HTMLElement | null = null;
  const setName = (element: HTMLElement | null, name: string) =>
    element?.style.setProperty('view-transition-name', name);
  setName(picture, NAME);
  const transition = document.startViewTransition(() => {
    setName(picture, '');
    place = drawGrown(picture);
    setName(place, NAME);
  });
  // A browser leaves the motion out where it cannot show it.
  transition.ready.catch(() => undefined);
  void transition.finished.finally(() => setName(place, ''));
};

/** Pressing the link of a card or line grows its picture into that of the project's page, where its code is loaded. */
export function growPictures(isLoaded: (path: string) => boolean): void {
  if (!('startViewTransition' in document)) return;
  addEventListener('click', onClick, { capture: true });
  addEventListener('pushState', onPush(isLoaded), { capture: true });
}
