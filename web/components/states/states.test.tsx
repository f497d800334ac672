// @vitest-environment happy-dom
/** Placeholders for content that is missing, has failed, or is loading: words, and what can be pressed. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import type { More } from '../../lib/use-list.ts';
import { act, allowInConsole, useTestPage } from '../../testing/screen.tsx';
import { Boundary } from './boundary.tsx';
import { ErrorState } from './error-state.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { ReadNote } from './read-note.tsx';
import { ShowMore } from './show-more.tsx';

useTestPage();
const CRASH = /A part of the page crashed|The above error occurred|^Error: broken|^TypeError: gone/;
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

describe('a failed read', () => {
  test.each([
    [new Error('Failed to fetch user'), 'Failed to fetch user'],
    [new Error(''), 'Nobody knows'],
    ['odd', 'Nobody knows'],
  ])('the failure of %o shows %s, as an alert [S8.2]', (error, words) => {
    render(<ErrorState error={error} fallback="Nobody knows" />);
    expect(screen.getByRole('alert')).toHaveTextContent(words);
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('in a line says whether the numbers beside it are old, and keeps the focus on its button while it tries', async () => {
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
});

describe('a crash', () => {
  let isBroken = true;
  function Part(): ReactNode {
    if (isBroken) throw new Error('broken');
    return <p>whole</p>;
  }

  test('stays in its corner, says what it was, and can be tried again', async () => {
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

  test('the failure of a page is shown, and reloads only where the server can be reached', async () => {
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
});

describe('a list in pages', () => {
  const moreOf = (changes: Partial<More> = {}): More => ({
    shown: 50,
    total: 1_200,
    hasMore: true,
    isLoadingMore: false,
    hasFailed: false,
    showMore: async () => undefined,
    ...changes,
  });

  test('shows more at a press, says what failed, and at its end keeps the focus', async () => {
    let set: (more: More) => void = () => undefined;
    const showMore = vi.fn<() => Promise<void>>(async () => undefined);
    function List() {
      const [more, setMore] = useState(moreOf({ showMore }));
      set = setMore;
      return <ShowMore more={more} noun="votes" />;
    }
    render(<List />);
    expect(screen.getByText('50 of 1,200 votes')).toBeVisible();
    screen.getByRole('button').focus();
    await press('Show more');
    expect(showMore).toHaveBeenCalledTimes(1);
    act(() => set(moreOf({ showMore, isLoadingMore: true, hasFailed: true })));
    const button = screen.getByRole('button', { name: 'Loading…' });
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAttribute('aria-busy', 'true');
    expect(screen.queryByRole('alert')).toBeNull();
    act(() => set(moreOf({ showMore, hasFailed: true })));
    expect(screen.getByRole('alert')).toHaveTextContent('More votes could not be loaded.');
    await press('Try again');
    expect(showMore).toHaveBeenCalledTimes(2);
    act(() => set(moreOf({ shown: 1_200, hasMore: false })));
    await waitFor(() => expect(screen.getByText('All 1,200 votes are shown.')).toHaveFocus());
    expect(screen.queryByRole('button')).toBeNull();
  });
});
