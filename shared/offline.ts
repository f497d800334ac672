/** What the page, its service worker and the server agree on; see docs/build/decisions/0034-offline.md. */

export const WORKER_PATH = '/service-worker.js';
/** The page without anybody's data, for a browser that cannot reach the server. */
export const SHELL_PATH = '/shell.html';
/** Name of the meta tag that says that this document is the shell. */
export const SHELL_META = 'offline-shell';

/** Every cache of the product begins with this; nothing else is ever deleted. */
export const CACHE_PREFIX = 'snapswipe-';
/** One for each release: shell and files. */
export const RELEASE_CACHE_PREFIX = `${CACHE_PREFIX}release-`;
/** Pictures of the last deck, stored by the page. */
export const PICTURE_CACHE = `${CACHE_PREFIX}pictures`;

/** What the server writes in front of the worker's code. */
export interface Release {
  /** Changes with every file of the page and with the server's settings. */
  id: string;
  /** What the home needs to be drawn, the entry first. */
  files: string[];
}
