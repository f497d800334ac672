// @vitest-environment happy-dom
/** The page's dealings with the browser: clipboard, files, storage, history, frames, title. */
import { render, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { act, allowInConsole, useTestPage } from '../testing/screen.tsx';
import { copyText } from './copy-text.ts';
import { readEntry, useEntryNumber, writeEntry } from './entry-state.ts';
import { createStore, useStore } from './external-store.ts';
import { fetchAllRows, type ListPage, type PageCall } from './fetch-page.ts';
import { nextFrame } from './next-frame.ts';
import { readPageJson } from './page-json.ts';
import { saveFile } from './save-file.ts';
import { readStored, writeStored } from './storage.ts';
import { useTitle } from './title.ts';
import { toasts } from './toast.ts';

useTestPage();

describe('the clipboard', () => {
  test('takes a text, and the page says so', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await copyText('npm run verify');
    expect(write).toHaveBeenCalledExactlyOnceWith('npm run verify');
    expect(toasts.get()[0]).toMatchObject({ title: 'Copied to clipboard!', variant: 'success' });
  });

  test('that the browser keeps closed is said to be', async () => {
    allowInConsole(/^The clipboard could not be written/);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await copyText('x');
    expect(toasts.get()[0]).toMatchObject({
      title: 'Error',
      description: 'The browser does not allow copying',
      variant: 'destructive',
    });
  });
});

test('a file is handed over by its name, and its memory is given back once the browser has begun', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined);
  const clicked: Array<[string, string]> = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push([this.href, this.download]);
  });
  const content = new Blob(['a']);
  saveFile('votes.ics', content);
  expect(made).toHaveBeenCalledExactlyOnceWith(content);
  expect(clicked).toEqual([['blob:1', 'votes.ics']]);
  vi.advanceTimersByTime(5_000);
  expect(revoked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:1');
});

describe('storage [S8.22]', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('keeps texts, and drops them with null', () => {
    writeStored('a', '');
    expect(readStored('a')).toBe('');
    writeStored('a', 'text');
    expect(localStorage.getItem('a')).toBe('text');
    writeStored('a', null);
    expect(Object.keys(localStorage)).not.toContain('a');
    expect(readStored('a')).toBeNull();
  });

  test('that is blocked is logged, and never an error', () => {
    allowInConsole(/^Local storage: a could not be (read|written)/);
    const blocked = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
    expect(readStored('a')).toBeNull();
    writeStored('a', 'text');
    writeStored('a', null);
    expect(console.warn).toHaveBeenCalledTimes(3);
    vi.unstubAllGlobals();
  });
});

describe('numbers of a history entry', () => {
  test('stay beside what others keep with it, and are written only when they change', () => {
    history.replaceState({ rows: 20 }, '');
    const replaced = vi.spyOn(history, 'replaceState');
    writeEntry('rows', 20);
    expect(replaced).not.toHaveBeenCalled();
    writeEntry('scroll', 5);
    expect(readEntry()).toEqual({ rows: 20, scroll: 5 });
    for (const odd of [null, 'text', 7]) {
      history.replaceState(odd, '');
      expect(readEntry()).toEqual({});
    }
  });

  test('that the browser refuses to change are logged', () => {
    allowInConsole(/^The history entry could not be updated/);
    vi.spyOn(history, 'replaceState').mockImplementation(() => {
      throw new DOMException('too often', 'SecurityError');
    });
    writeEntry('rows', 3);
    expect(console.warn).toHaveBeenCalledTimes(1);
  });

  test('are there at once on a return, and what is set goes with the entry', () => {
    history.replaceState({ rows: 40 }, '');
    const { result } = renderHook(() => [useEntryNumber('rows', 8), useEntryNumber('other', 3)] as const);
    expect(result.current.map(([value]) => value)).toEqual([40, 3]);
    act(() => result.current[0][1](60));
    expect(result.current.map(([value]) => value)).toEqual([60, 3]);
    expect(readEntry()).toEqual({ rows: 60 });
  });
});

test('every row of a list is read, page by page, each from where the last one ends', async () => {
  const pages: Record<string, ListPage<number>> = {
    start: { rows: [1, 2], nextCursor: 'b', total: 5 },
    b: { rows: [3, 4], nextCursor: 'c', total: 5 },
    c: { rows: [5], nextCursor: null, total: 5 },
  };
  const load = vi.fn<(page: PageCall) => Promise<ListPage<number>>>(
    async ({ cursor }) => pages[cursor ?? 'start'] as ListPage<number>,
  );
  expect(await fetchAllRows(load)).toEqual([1, 2, 3, 4, 5]);
  expect(load.mock.calls).toEqual([[{ cursor: undefined }], [{ cursor: 'b' }], [{ cursor: 'c' }]]);
});

describe('the next frame', () => {
  const passed = vi.fn<() => void>();
  beforeEach(() => {
    passed.mockReset();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] });
  });

  test('is waited for, and what waits goes on in a task of its own', async () => {
    void nextFrame().then(passed);
    let isAtFrame = false;
    requestAnimationFrame(() => {
      isAtFrame = true;
      expect(passed).not.toHaveBeenCalled();
    });
    await vi.advanceTimersByTimeAsync(20);
    expect(isAtFrame).toBe(true);
    expect(passed).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not waited for in a hidden tab, which draws none', async () => {
    vi.stubGlobal('requestAnimationFrame', () => 0);
    void nextFrame().then(passed);
    await vi.advanceTimersByTimeAsync(99);
    expect(passed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(passed).toHaveBeenCalledTimes(1);
  });
});

test('JSON in the page is read; without it, or broken, there is none', () => {
  document.body.innerHTML =
    '<script type="application/json" id="data">{"a":1}</script><script id="broken" type="x">{</script>' +
    '<script id="empty" type="x"></script>';
  expect(readPageJson('data')).toEqual({ a: 1 });
  for (const id of ['broken', 'empty', 'missing']) expect(readPageJson(id)).toBeNull();
  document.body.innerHTML = '';
});

test('a store tells its listeners of each change to another value, until they leave', () => {
  const store = createStore(Number.NaN);
  const heard = vi.fn<() => void>();
  const leave = store.subscribe(heard);
  store.set(Number.NaN);
  expect(heard).not.toHaveBeenCalled();
  store.set(1);
  store.set(1);
  expect(heard).toHaveBeenCalledTimes(1);
  leave();
  store.set(2);
  expect(heard).toHaveBeenCalledTimes(1);
  const { result } = renderHook(() => useStore(store));
  act(() => store.set(3));
  expect(result.current).toBe(3);
});

test('the title follows the data of its page, and stays while there is none', () => {
  document.title = 'before';
  function Page({ title }: { title: string | null | undefined }) {
    useTitle(title);
    return null;
  }
  const { rerender } = render(<Page title={undefined} />);
  rerender(<Page title={null} />);
  expect(document.title).toBe('before');
  rerender(<Page title="Coral" />);
  expect(document.title).toBe('Coral · Snapswipe');
});
