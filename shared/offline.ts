/** Names that the page, its service worker and the server share; see docs/build/decisions/0034-offline.md. */

export const WORKER_PATH = '/service-worker.js';
/** The page without user data, for a browser that cannot reach the server. */
export const SHELL_PATH = '/shell.html';
/** Name of the meta tag that marks this document as the shell. */
export const SHELL_META = 'offline-shell';

/** Prefix of every cache of the product; only these are ever deleted. */
export const CACHE_PREFIX = 'snapswipe-';
/** One for each release: shell and files. */
export const RELEASE_CACHE_PREFIX = `${CACHE_PREFIX}release-`;
/** Pictures of the last deck, cached by the page. */
export const PICTURE_CACHE = `${CACHE_PREFIX}pictures`;

/** Data that the server writes in front of the worker's code. */
export interface Release {
  /** Changes with every file of the page and with the server's settings. */
  id: string;
  /** Files that the home needs before it can be drawn, the entry first. */
  files: string[];
}
