// @vitest-environment happy-dom
/** Each component test has a page of its own. */
import { expect, test, vi } from 'vitest';
import { useTestPage } from './screen.tsx';

useTestPage();

const late = vi.fn<() => void>();

test('a test may end before what its page has planned', () => {
  setTimeout(late, 20);
  setInterval(late, 20);
  expect(late).not.toHaveBeenCalled();
});

test('which then never comes', async () => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(late).not.toHaveBeenCalled();
});
