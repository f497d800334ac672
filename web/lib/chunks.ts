import { ApiError } from './api-error.ts';

export const RELOAD_EVENT = 'snapswipe:reload';
const RELOADED_KEY = 'snapswipe_reloaded_at';
const RELOAD_PAUSE_MS = 60_000;

export function reload(): void {
  dispatchEvent(new Event(RELOAD_EVENT));
  location.reload();
}

/**
 * For a chunk that is needed now, not guessed: `needed(import('./dialog.tsx'))`. After an upgrade of the server the old chunks
 * are gone; then the page reloads, at most once a minute, and the promise stays open. Where the server is out of reach or still
 * has this very page, nothing reloads.
 * @throws ApiError 'offline' with the browser's reason where the file could not be fetched; else what the chunk itself threw.
 */
export async function needed<T>(chunk: Promise<T>): Promise<T> {
  try {
    return await chunk;
  } catch (error) {
    if (!FETCH_FAILURES.test(String(error))) throw error;
    if (!(await isReplaced()) || !mayReload()) throw ApiError.offline(error);
    reload();
    return new Promise(() => undefined);
  }
}

/** Chromium, Firefox and WebKit, and Vite for a style sheet. Anything else was thrown by the chunk's own code, and is logged where it is caught. */
const FETCH_FAILURES = /imported module|module script|CSS for/;

async function isReplaced(): Promise<boolean> {
  const entry = document.querySelector('script[src*="/assets/index-"]')?.getAttribute('src');
  const response = await fetch('/', { cache: 'no-store' }).catch(() => null);
  return Boolean(entry && response?.ok && !(await response.text()).includes(entry));
}

function mayReload(): boolean {
  try {
    const reloadedAtMs = Number(sessionStorage.getItem(RELOADED_KEY));
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    return Date.now() - reloadedAtMs > RELOAD_PAUSE_MS;
  } catch {
    return false;
  }
}
