// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { growPictures } from './grow.ts';

/** Names of the pictures while the browser looks at the page before and after. */
let seen: string[] = [];
let isLoaded = true;
let isStill = false;

const names = () =>
  [...document.querySelectorAll<HTMLElement>('[data-grows], [data-grown]')]
    .filter((element) => element.style.getPropertyValue('view-transition-name') === 'picture')
    .map(({ id }) => id)
    .join(' ');

function startViewTransition(draw: () => void) {
  seen.push(names());
  draw();
  seen.push(names());
  return { ready: Promise.reject(new Error('skipped')), finished: Promise.resolve() };
}

beforeEach(() => {
  Object.assign(document, { startViewTransition });
  vi.stubGlobal('matchMedia', () => ({ matches: isStill }));
  growPictures(() => isLoaded);
  [seen, isLoaded, isStill] = [[], true, false];
  document.body.innerHTML =
    '<ol><li><img data-grows id="first"><a href="/projects/a" id="line">A</a></li></ol>' +
    '<a href="/projects/b" id="card"><img data-grows id="second"></a><a href="/trust" id="other">T</a><div data-grown id="page"></div>';
});
afterEach(() => vi.unstubAllGlobals());

function press(id: string, path: string): void {
  const link = document.querySelector<HTMLElement>(`#${id}`);
  const follow = (event: Event) => {
    event.preventDefault();
    navigate(path);
  };
  link?.addEventListener('click', follow, { once: true });
  link?.click();
}

test('the pressed picture of a card or line becomes that of the page, and no picture keeps the name [R98]', async () => {
  press('line', '/projects/a');
  await vi.waitFor(() => expect(names()).toBe(''));
  press('card', '/projects/b');
  await vi.waitFor(() => expect(names()).toBe(''));
  expect(seen).toEqual(['first', 'page', 'second', 'page']);
});

test('the address and the page change at once without a transition where it would wait, move against a wish, or show nothing [R98]', () => {
  const heard = vi.fn<() => void>();
  addEventListener('pushState', heard);
  isLoaded = false;
  press('line', '/projects/a');
  [isLoaded, isStill] = [true, true];
  press('line', '/projects/a');
  isStill = false;
  press('other', '/trust');
  navigate('/projects/a');
  expect(heard).toHaveBeenCalledTimes(4);
  expect(seen).toEqual([]);
  removeEventListener('pushState', heard);
});
