// @vitest-environment happy-dom
/** What stands where something is missing, has failed, or goes on: words, and what can be pressed. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { loadable } from '../../lib/loadable.tsx';
import type { More } from '../../lib/use-list.ts';
import { act, allowInConsole, useTestPage } from '../../testing/screen.tsx';
import { Boundary } from './boundary.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { OnDemand } from './on-demand.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { ReadNote } from './read-note.tsx';
import { ShowMore, TotalCount, Unfold } from './show-more.tsx';

useTestPage();
const CRASH = /A part of the page crashed|The above error occurred|^Error: broken|^TypeError: gone/;
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

test('an empty state has only the parts that it is given', () => {
  const { container, rerender } = render(<EmptyState icon={<b>icon</b>} title="Nothing" action={<i>act</i>} />);
  expect(container.querySelector('b')?.parentElement).toHaveAttribute('aria-hidden', 'true');
  expect(screen.getByText('Nothing')).toBeVisible();
  expect(container.querySelector('p.max-w-prose')).toBeNull();
  rerender(<EmptyState className="own">Try later</EmptyState>);
  expect(container.querySelector('.own')).toHaveTextContent(/^Try later$/);
  expect(container.querySelector('.own')?.children).toHaveLength(1);
});

describe('a failed read', () => {
  test.each([
    [new Error('Failed to fetch user'), 'Failed to fetch user'],
    [new Error(''), 'Nobody knows'],
    ['odd', 'Nobody knows'],
  ])('of %o says %s, as an alert [S8.2]', (error, words) => {
    render(<ErrorState error={error} fallback="Nobody knows" />);
    expect(screen.getByRole('alert')).toHaveTextContent(words);
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('can be read again, once at a time', async () => {
    const retry = vi.fn<() => void>();
    const { rerender } = render(<ErrorState error={null} onRetry={retry} />);
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong');
    await press('Try again');
    expect(retry).toHaveBeenCalledTimes(1);
    rerender(<ErrorState error={null} onRetry={retry} retrying />);
    expect(screen.getByRole('button', { name: 'Trying again…' })).toBeDisabled();
  });

  test('in a line says whether the numbers beside it are old, and keeps the focus on its button while it tries', async () => {
    const retry = vi.fn<() => void>();
    const failure = { error: new Error('Failed to fetch stats'), retry, isRetrying: false };
    const { rerender } = render(<ReadNote failure={failure} className="own" />);
    const [line] = screen.getAllByRole('status');
    expect(line).toHaveTextContent(/^Failed to fetch stats\.Try again$/);
    expect(line).toHaveClass('own');
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

  test('is tried again by another occasion, and by nothing else', async () => {
    isBroken = true;
    allowInConsole(CRASH);
    const onRetry = vi.fn<() => void>();
    const at = (occasion: number) => (
      <Boundary occasion={occasion} onRetry={onRetry} renderFailure={() => <p>failed</p>}>
        <Part />
      </Boundary>
    );
    const { rerender } = render(at(1));
    rerender(at(1));
    expect(onRetry).not.toHaveBeenCalled();
    isBroken = false;
    rerender(at(2));
    expect(await screen.findByText('whole')).toBeVisible();
    expect(onRetry).toHaveBeenCalledTimes(1);
    // What is whole stays as it is.
    rerender(at(3));
    expect(onRetry).toHaveBeenCalledTimes(1);
  });

  test('of nothing at all is a crash as well', () => {
    allowInConsole(CRASH, /null/);
    function Odd(): ReactNode {
      // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- what a library may do
      throw null;
    }
    render(
      <Boundary renderFailure={(_, error) => <p>{(error as Error).message}</p>}>
        <Odd />
      </Boundary>,
    );
    expect(screen.getByText('Something went wrong')).toBeVisible();
  });

  test('of a page says so, and reloads only where the server can be reached', async () => {
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

  test('of a page without a network says so at once', () => {
    allowInConsole(/crashed|above error|ApiError|cannot be reached/);
    function Offline(): ReactNode {
      throw ApiError.offline(new TypeError('gone'));
    }
    render(
      <PageBoundary>
        <Offline />
      </PageBoundary>,
    );
    expect(screen.getByText(ApiError.offline(null).message)).toBeVisible();
  });
});

test('a part whose code cannot be fetched says so; the second try fetches it again', async () => {
  allowInConsole(CRASH, /gone/);
  let tries = 0;
  const part = loadable<{ word: string }>(
    async () => {
      tries += 1;
      if (tries === 1) throw new TypeError('gone');
      return ({ word }) => <p>{word}</p>;
    },
    (chunk) => chunk,
  );
  await act(async () => {
    render(
      <OnDemand name="The chart" onRetry={part.retry} loading={<p>on its way</p>} className="own">
        <part.Part word="here" />
      </OnDemand>,
    );
  });
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The chart could not be loaded.');
  expect(alert).toHaveClass('own');
  await press('Try again');
  expect(await screen.findByText('here')).toBeVisible();
  expect(tries).toBe(2);
});

test('a page on its way says so to screen readers; its shapes are for the eye only', () => {
  const { container } = render(<PageSkeleton />);
  expect(screen.getByText('Loading page...')).toHaveClass('sr-only');
  const shapes = container.querySelectorAll('.shimmer');
  expect(shapes.length).toBeGreaterThan(0);
  for (const shape of shapes) expect(shape).toHaveAttribute('aria-hidden', 'true');
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

  test('says how long it is, also where it was not counted to its end', () => {
    const { container, rerender } = render(<TotalCount total={undefined} />);
    expect(container.querySelector('span')).toBeNull();
    rerender(<TotalCount total={1_200} />);
    expect(container).toHaveTextContent('1,200');
    rerender(<TotalCount total={null} />);
    expect(container).toHaveTextContent('more than 10,000');
  });

  test('unfolds with a word about what is to come', async () => {
    const unfold = vi.fn<() => void>();
    const { rerender } = render(<Unfold more={moreOf()} onClick={unfold} />);
    await press('Show more (1,200 in all)');
    expect(unfold).toHaveBeenCalledTimes(1);
    rerender(<Unfold more={moreOf({ hasMore: false })} onClick={unfold} />);
    expect(screen.getByRole('button')).toHaveTextContent(/^Show all 50$/);
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

  test('of one page has nothing at its end; and takes the focus from nobody', () => {
    const { container, rerender } = render(<ShowMore more={moreOf({ hasMore: false })} noun="votes" />);
    expect(container.querySelector('p, button')).toBeNull();
    rerender(
      <>
        <input aria-label="elsewhere" />
        <ShowMore key="list" more={moreOf()} noun="votes" />
      </>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    screen.getByLabelText('elsewhere').focus();
    rerender(
      <>
        <input aria-label="elsewhere" />
        <ShowMore key="list" more={moreOf({ hasMore: false })} noun="votes" />
      </>,
    );
    expect(screen.getByText('All 50 votes are shown.')).toBeVisible();
    expect(screen.getByLabelText('elsewhere')).toHaveFocus();
  });
});
