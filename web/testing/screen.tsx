/**
 * Draws a whole screen in happy-dom, for tests that press its controls as a user does. The contract checks both sides: `test-server.ts`
 * validates responses and calls. Journeys keep what needs a browser or the whole product: layout, focus, gestures, wallets, payments,
 * first paint. Rejected: jsdom (starts more slowly) and Vitest's browser mode (a browser and a bundle per run).
 */
import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, render, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { getFollows } from '#shared/contract/follows.ts';
import { getDirections } from '#shared/contract/votes.ts';
import { announcement } from '../lib/announce.ts';
import { LiveRegion } from '../components/layout/live-region.tsx';
import { queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { type ToastEntry, toasts } from '../lib/toast.ts';
import { setSite } from '../lib/site.ts';
import '@testing-library/jest-dom/vitest';
import { expectCleanConsole, watchConsole } from './console-lines.ts';
import { SITE, STATS, USER } from './made-up.ts';
import { TestServer } from './test-server.ts';

export { act } from '@testing-library/react';
export { allowInConsole } from './console-lines.ts';

// Only a broken test waits that long.
configure({
  asyncUtilTimeout: 20_000,
  getElementError: (message) => new Error(message ?? ''),
});

/** Every browser has it, the context of a test file does not. Channels of Node.js reach all files that run now: here they end at the file. */
class OwnChannel extends BroadcastChannel {
  static readonly #file = randomUUID();
  constructor(name: string) {
    super(`${OwnChannel.#file} ${name}`);
  }
}
globalThis.BroadcastChannel = OwnChannel as unknown as typeof globalThis.BroadcastChannel;

type Timer = ReturnType<typeof setTimeout>;

/** Timers of the present test's page: they end with the test, or their reads would go to the server of the next one. */
const timers = new Set<Timer>();
const recorded =
  (plan: (...planned: Parameters<typeof setTimeout>) => Timer): typeof plan =>
  (...planned) => {
    const timer = plan(...planned);
    timers.add(timer);
    return timer;
  };
globalThis.setTimeout = recorded(globalThis.setTimeout) as typeof setTimeout;
globalThis.setInterval = recorded(globalThis.setInterval) as typeof setInterval;

/**
 * A browser page for component tests, new for each: nothing is announced yet, a user is signed in, and the server that is
 * returned responds as the test says. A test whose page writes an error or a warning to the console fails, unless it allows that
 * line. Call it once in a file.
 */
export function useTestPage(): () => TestServer {
  let server = new TestServer();
  beforeEach(() => {
    server = new TestServer();
    server.listen();
    // Stars are on most screens, own votes on each leaderboard.
    server.respond(getFollows, { projects: [] });
    server.respond(getDirections, { bullish: [], bearish: [] });
    watchConsole();
    localStorage.clear();
    history.replaceState(null, '', '/');
    setSite(SITE);
    queryClient.clear();
    toasts.set([]);
    announcement.set('');
    session.drawAs(undefined);
    session.signedIn({ user: USER, stats: STATS });
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    expect(server.violations).toEqual([]);
    expectCleanConsole();
  });
  return () => server;
}

export function draw(part: ReactNode) {
  return render(
    <QueryClientProvider client={queryClient}>
      {part}
      <LiveRegion />
    </QueryClientProvider>,
  );
}

export const toastShown = (title?: string): Promise<ToastEntry> =>
  waitFor(() => {
    const [shown] = toasts.get();
    if (!shown || (title !== undefined && shown.title !== title))
      throw new Error(`No toast ${title ?? ''}: ${shown?.title ?? 'none at all'}`);
    return shown;
  });

export const pass = (ms: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

export const pressToLoad = (button: HTMLElement): Promise<void> => act(async () => button.click());

/** First bytes of a picture, one character each. */
export const PICTURE_HEADS = { png: '\x89PNG\r\n\x1a\n', avif: '\0\0\0\x14ftypavif\0\0\0\0avif' };

export function pictureOf(width: number, height: number, { head = PICTURE_HEADS.png, type = 'image/png' } = {}): File {
  globalThis.createImageBitmap = () => Promise.resolve({ width, height, close: () => undefined });
  HTMLImageElement.prototype.decode = () => (width === 0 ? Promise.reject(new Error('broken')) : Promise.resolve());
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(width);
  vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(height);
  return new File([Uint8Array.from(head, (byte) => byte.charCodeAt(0))], 'picture', { type });
}
