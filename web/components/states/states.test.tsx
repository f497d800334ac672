// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { createStore, useStore } from '../../lib/external-store.ts';
import type { More } from '../../lib/use-list.ts';
import { act, allowInConsole, useTestPage } from '../../testing/screen.tsx';
import { Boundary } from './boundary.tsx';
import { ErrorState } from './error-state.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { Loaded } from './read.tsx';
import { ReadNote } from './read-note.tsx';
import { ShowMore } from './show-more.tsx';

useTestPage();
const CRASH = /A part of the page crashed|The above error occurred|^Error: broken|^TypeError: gone/;
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

test.each([
  [new Error('Failed to fetch user'), 'Failed to fetch user'],
  [new Error(''), 'Nobody knows'],
  ['odd', 'Nobody knows'],
])('the failure of %o shows %s as an alert [S8.2]', (error, words) => {
  render(<ErrorState error={error} fallback="Nobody knows" />);
  expect(screen.getByRole('alert')).toHaveTextContent(words);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a read shows its skeleton, then its failure with a retry, and keeps data that a later read fails to renew', async () => {
  const refetch = vi.fn<() => void>();
  const part = (data: string | undefined, error: Error | null) => (
    <Loaded of={{ data, error, isFetching: false, refetch }} skeleton={<p>waits</p>}>
      {(text) => <p>{text}</p>}
    </Loaded>
  );
  const { rerender, container } = render(part(undefined, null));
  expect(container).toHaveTextContent(/^waits$/);
  rerender(part(undefined, new Error('Failed to fetch user')));
  expect(screen.getByRole('alert')).toHaveTextContent('Failed to fetch user');
  await press('Try again');
  expect(refetch).toHaveBeenCalledTimes(1);
  rerender(part('came', new Error('Failed to fetch user')));
  expect(container).toHaveTextContent(/^came$/);
});

test('a failed read in a line marks stale numbers, and keeps the focus on its button during a retry', async () => {
  const retry = vi.fn<() => void>();
  const failure = { error: new Error('Failed to fetch stats'), retry, isRetrying: false };
  const { rerender } = render(<ReadNote failure={failure} />);
  const [line] = screen.getAllByRole('status');
  expect(line).toHaveTextContent(/^Failed to fetch stats\.Try again$/);
  expect(screen.getByRole('button')).not.toHaveAttribute('aria-disabled');
  await press('Try again');
  expect(retry).toHaveBeenCalledTimes(1);
  rerender(<ReadNote failure={{ ...failure, isRetrying: true }} isStale />);
  expect(screen.getByText('Failed to fetch stats. These numbers may be out of date.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Trying again…' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByRole('button')).toBeEnabled();
});

let isBroken = true;
function Part(): ReactNode {
  if (isBroken) throw new Error('broken');
  return <p>whole</p>;
}

test('a crash stays inside its boundary, names its error, and can be retried', async () => {
  isBroken = true;
  allowInConsole(CRASH);
  const onRetry = vi.fn<() => void>(() => {
    isBroken = false;
  });
  const failure = (retry: () => void, error: unknown) => <button onClick={retry}>{(error as Error).message}</button>;
  render(
    <Boundary renderFailure={failure} onRetry={onRetry}>
      <Part />
    </Boundary>,
  );
  expect(screen.queryByText('whole')).toBeNull();
  await press('broken');
  expect(onRetry).toHaveBeenCalledTimes(1);
  expect(screen.getByText('whole')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a crashed page reloads only when the server can be reached', async () => {
  isBroken = true;
  allowInConsole(CRASH);
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined);
  const reached = Promise.withResolvers<Response>();
  const asked = vi.fn<(address: string, init: RequestInit) => Promise<Response>>();
  vi.stubGlobal('fetch', asked);
  asked.mockRejectedValueOnce(new TypeError('gone')).mockReturnValueOnce(reached.promise);
  render(
    <PageBoundary>
      <Part />
    </PageBoundary>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent(/^This page could not be shownTry again$/);
  await press('Try again');
  expect(screen.getByText(ApiError.offline(null).message)).toBeVisible();
  expect(reload).not.toHaveBeenCalled();
  await press('Try again');
  expect(screen.getByRole('button', { name: 'Trying again…' })).toBeDisabled();
  await act(async () => reached.resolve(new Response()));
  expect(reload).toHaveBeenCalledTimes(1);
  expect(asked).toHaveBeenLastCalledWith('/', { method: 'HEAD', cache: 'no-store' });
});

const moreOf = (changes: Partial<More> = {}): More => ({
  shown: 50,
  total: 1_200,
  hasMore: true,
  isLoadingMore: false,
  hasFailed: false,
  showMore: async () => undefined,
  ...changes,
});

test('a list loads more on request, shows a failure, and keeps the focus at its end', async () => {
  const showMore = vi.fn<() => Promise<void>>(async () => undefined);
  const shown = createStore(moreOf({ showMore }));
  function List() {
    return <ShowMore more={useStore(shown)} noun="votes" />;
  }
  render(<List />);
  expect(screen.getByText('50 of 1,200 votes')).toBeVisible();
  screen.getByRole('button').focus();
  await press('Show more');
  expect(showMore).toHaveBeenCalledTimes(1);
  act(() => shown.set(moreOf({ showMore, isLoadingMore: true, hasFailed: true })));
  const button = screen.getByRole('button', { name: 'Loading…' });
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAttribute('aria-busy', 'true');
  expect(screen.queryByRole('alert')).toBeNull();
  act(() => shown.set(moreOf({ showMore, hasFailed: true })));
  expect(screen.getByRole('alert')).toHaveTextContent('More votes could not be loaded.');
  await press('Try again');
  expect(showMore).toHaveBeenCalledTimes(2);
  act(() => shown.set(moreOf({ shown: 1_200, hasMore: false })));
  await waitFor(() => expect(screen.getByText('All 1,200 votes are shown.')).toHaveFocus());
  expect(screen.queryByRole('button')).toBeNull();
});
