// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { createStore, useStore } from '../lib/external-store.ts';
import { act, draw, useTestPage } from '../testing/screen.tsx';
import { useLater } from './use-later.ts';

useTestPage();

const votes = createStore(1);
function Figure() {
  return <p>{useLater(useStore(votes), 'idle')}</p>;
}

test('a figure beside the card changes once the browser is idle', async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback));
  const { container } = draw(<Figure />);
  await vi.waitFor(() => expect(idle).toHaveLength(1));
  act(() => votes.set(2));
  await vi.waitFor(() => expect(idle).toHaveLength(2));
  expect(container).toHaveTextContent('1');
  idle[1]?.();
  await vi.waitFor(() => expect(container).toHaveTextContent('2'));
});
