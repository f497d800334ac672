import { AsyncLocalStorage } from 'node:async_hooks';

const inner = new AsyncLocalStorage<true>();

/** Runs a request that the server sends to itself for a client, whose own request has been counted. */
export const asInnerRequest = <T>(send: () => T): T => inner.run(true, send);

export const isInnerRequest = (): boolean => inner.getStore() === true;
