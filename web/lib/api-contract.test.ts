import { afterEach, expect, test, vi } from 'vitest';
import * as contract from '#shared/contract/index.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { api } from './api.ts';

interface Endpoint {
  method: string;
  path: string;
}
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;

/** The page calls every endpoint except those of the open API. */
const { open: _copies, lookup: _lookup, ...called } = contract;
const endpoints = Object.values(called).flatMap((subject) =>
  Object.entries(subject).flatMap(([name, value]: [string, unknown]) =>
    isEndpoint(value) ? [{ name, ...value }] : [],
  ),
);

afterEach(() => vi.unstubAllGlobals());

test.each(endpoints)('$name calls $method $path as in the contract [S7.2]', async ({ name, method, path }) => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response('{}'));
  vi.stubGlobal('fetch', fetch);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, `{${name}}`]));
  const callers = new Map<string, (...args: never[]) => unknown>(Object.entries(api));
  const caller = callers.get(name) ?? (() => undefined);
  await Reflect.apply(caller, undefined, [{ params }]);
  expect(fetch).toHaveBeenCalledWith(encodeURI(path), expect.objectContaining({ method }));
});

test('the API client and the contract name the same endpoints', () => {
  expect(Object.keys(ENDPOINTS).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
});
