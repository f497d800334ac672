/** Names that the page, its service worker and the server share; see docs/build/decisions/0034-offline.md. */

export const WORKER_PATH = '/service-worker.js';
export const SHELL_PATH = '/shell.html';
/** Name of the meta tag that marks this document as the shell. */
export const SHELL_META = 'offline-shell';

/** Prefix of every cache of the product; only these are ever deleted. */
export const CACHE_PREFIX = 'snapswipe-';
export const RELEASE_CACHE_PREFIX = `${CACHE_PREFIX}release-`;

export interface Release {
  /** Changes with every file of the page and with the server's settings. */
  id: string;
  files: string[];
}
