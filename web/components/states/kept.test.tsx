// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { act, draw } from '../../testing/screen.tsx';
import { Kept } from './kept.tsx';

test('HTML that the server drew stays without its code, and is drawn where there is none', async () => {
  const Part = vi.fn<() => ReactNode>(() => <p>drawn here</p>);
  const part = (
    <Kept>
      <Part />
    </Kept>
  );
  const root = document.createElement('div');
  root.innerHTML = '<div data-kept="true"><p>from the server</p></div>';
  const paragraph = root.querySelector('p');
  const hydrated = await act(async () => hydrateRoot(root, part));
  await act(async () => hydrated.render(part));
  expect(root.querySelector('p')).toBe(paragraph);
  expect(root).toHaveTextContent('from the server');
  expect(Part).not.toHaveBeenCalled();
  const { container } = draw(part);
  expect(container).toHaveTextContent('drawn here');
});
