// @vitest-environment happy-dom
import { useRef } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw, pass, useTestPage } from '../../testing/screen.tsx';
import { useIsSkippable } from './use-is-skippable.ts';

useTestPage();
beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] }),
);

function Row() {
  const ref = useRef<HTMLParagraphElement>(null);
  return <p ref={ref}>{useIsSkippable(ref) ? 'skippable' : 'drawn'}</p>;
}

const HEIGHT = 100;
test.each([
  ['ends at the top of the screen', () => -HEIGHT, 'skippable'],
  ['reaches a pixel into it', () => 1 - HEIGHT, 'drawn'],
  ['lies in it', () => 10, 'drawn'],
  ['begins with its last pixel', () => innerHeight - 1, 'drawn'],
  ['begins below it', () => innerHeight, 'skippable'],
])('a row that %s, once its height is known', async (_, topPx, word) => {
  const place = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  place.mockReturnValue(new DOMRect(0, topPx(), 300, HEIGHT));
  const { container, unmount } = draw(<Row />);
  // Its height is remembered at the end of a frame: not measured before the second one.
  await pass(17);
  expect(container).toHaveTextContent('drawn');
  expect(place).not.toHaveBeenCalled();
  await pass(40);
  expect(container).toHaveTextContent(word);
  unmount();
});

test('a row that is gone by then is not measured', async () => {
  const place = vi.spyOn(Element.prototype, 'getBoundingClientRect');
  draw(<Row />).unmount();
  await pass(100);
  expect(place).not.toHaveBeenCalled();
});
