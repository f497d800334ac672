// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sourceOf } from '#shared/listings/events.ts';
import { recordEvent } from './record-event.ts';

const sendBeacon = vi.fn<(url: string, body: Blob) => boolean>(() => true);
beforeEach(() => {
  Object.defineProperty(navigator, 'sendBeacon', { value: sendBeacon, configurable: true });
});
afterEach(() => {
  sendBeacon.mockClear();
  Reflect.deleteProperty(document, 'prerendering');
});

test('an event is sent as a beacon of JSON [R50]', async () => {
  await recordEvent(7, 'click', 'link');
  const [url, body] = sendBeacon.mock.calls[0] ?? [];
  expect([url, body?.type]).toEqual(['/api/projects/7/events', 'application/json']);
  expect(JSON.parse((await body?.text()) ?? '')).toEqual({ kind: 'click', source: 'link' });
});

test('a prerendered page counts as a view when it is shown [R50]', async () => {
  Object.defineProperty(document, 'prerendering', { value: true, configurable: true });
  const sent = recordEvent(7, 'view', 'page');
  await Promise.resolve();
  expect(sendBeacon).not.toHaveBeenCalled();
  document.dispatchEvent(new Event('prerenderingchange'));
  await sent;
  expect(sendBeacon).toHaveBeenCalledOnce();
});

test('no event is sent without a network', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await recordEvent(7, 'view', 'deck');
  expect(sendBeacon).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  await recordEvent(7, 'view', 'deck');
  expect(sendBeacon).toHaveBeenCalledOnce();
});

test('the source of a view is the one of the address, or the page [R50]', () => {
  const searches = ['', '?from=link', '?from=badge&x=1', '?from=embed', '?from=deck', '?from=%00', '?from=__proto__'];
  expect(searches.map(sourceOf)).toEqual(['page', 'link', 'badge', 'embed', 'page', 'page', 'page']);
});
