// @vitest-environment happy-dom
/** A translated page: each text is inside elements that React does not know. */
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { tolerateMovedNodes } from './moved-nodes.ts';

const { removeChild, insertBefore } = Node.prototype;
afterAll(() => void Object.assign(Node.prototype, { removeChild, insertBefore }));
(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let root: Root;
let place: HTMLElement;
beforeEach(() => {
  tolerateMovedNodes();
  place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
});

function translate(): void {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const wrapper = document.createElement('font');
    text.replaceWith(wrapper);
    wrapper.appendChild(document.createElement('font')).append(text);
  }
}
const draw = (content: React.ReactNode) => act(() => root.render(content));

test('removes a translated text with its wrapper, and puts what replaces it in its place [R81]', () => {
  draw(<p>{'Connect a wallet'}</p>);
  translate();
  draw(
    <p>
      <b>Voted</b>
    </p>,
  );
  expect(place.innerHTML).toBe('<p><b>Voted</b></p>');
  draw(
    <p>
      {null}
      {'Left: '}
      <i>3</i>
    </p>,
  );
  translate();
  draw(
    <p>
      <b>Voted</b>
      {'Left: '}
      <i>3</i>
    </p>,
  );
  expect(place.textContent).toBe('VotedLeft: 3');
  draw(null);
  expect(place.innerHTML).toBe('');
});

test('leaves a node that nothing has moved to the browser', () => {
  const child = place.appendChild(document.createElement('i'));
  expect(place.removeChild(child)).toBe(child);
  expect(place.insertBefore(child, null)).toBe(child);
  expect(() => place.insertBefore(child, document.createElement('b'))).not.toThrow();
  expect(place.children).toHaveLength(1);
});
