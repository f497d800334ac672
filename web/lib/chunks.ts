import { ApiError } from './api-error.ts';

export const RELOAD_EVENT = 'snapswipe:reload';
const RELOADED_KEY = 'snapswipe_reloaded_at';
const RELOAD_PAUSE_MS = 60_000;

export function reload(): void {
  dispatchEvent(new Event(RELOAD_EVENT));
  location.reload();
}

/** Browsers keep the failure of a module for as long as the document lives: the second miss is of one that no retry fetches. */
let hasMissed = false;

/**
 * Reloads the page, at most once a minute, where an upgrade has replaced the chunk, or where it is missed again although the server
 * responds. @throws ApiError 'offline', or what it threw
 */
export async function needed<T>(chunk: Promise<T>): Promise<T> {
  try {
    return await chunk;
  } catch (error) {
    if (!FETCH_FAILURES.test(String(error))) throw error;
    const isAgain = hasMissed;
    hasMissed = true;
    if (!(await doesReloadHelp(isAgain)) || !mayReload()) throw ApiError.offline(error);
    reload();
    return new Promise(() => undefined);
  }
}

const FETCH_FAILURES = /imported module|module script|CSS for/;

async function doesReloadHelp(isAgain: boolean): Promise<boolean> {
  const entry = document.querySelector('script[src*="/assets/index-"]')?.getAttribute('src');
  const response = await fetch('/', { cache: 'no-store' }).catch(() => null);
  return Boolean(entry && response?.ok && (isAgain || !(await response.text()).includes(entry)));
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
