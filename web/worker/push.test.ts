import { beforeEach, expect, test } from 'vitest';
import sharp from 'sharp';
import { BADGE, openPushed, renewPushed, showPush } from './push.ts';
import type { PressEvent, PushEvent, RenewalEvent, WorkerScope } from './scope.ts';

const ORIGIN = 'https://snapswipe.test';
let shown: unknown[];
let opened: string[];
let focused: string[];
let tabs: string[];

beforeEach(() => {
  [shown, opened, focused, tabs] = [[], [], [], []];
});

const scope = {
  location: { origin: ORIGIN },
  registration: {
    showNotification: async (title: string, { body, tag, data }: NotificationOptions) =>
      void shown.push({ title, body, tag, data }),
  },
  clients: {
    matchAll: async () => tabs.map((url) => ({ url, focus: async () => void focused.push(url) })),
    openWindow: async (url: string) => void opened.push(url),
  },
} as unknown as WorkerScope;

const push = (text: string | null) =>
  showPush(scope, { data: text === null ? null : { json: () => JSON.parse(text) as unknown } } as PushEvent);
const press = (data: unknown) =>
  openPushed(scope, { notification: { close: () => undefined, data } } as unknown as PressEvent);

test('a push message is shown with its title, text and page [R78]', async () => {
  await push(JSON.stringify({ title: 'New reply', body: 'Coral replied', link: '/projects/coral', tag: 'm1' }));
  expect(shown).toEqual([{ title: 'New reply', body: 'Coral replied', tag: 'm1', data: { link: '/projects/coral' } }]);
});

test.each([null, 'not JSON', 'null', '{}'])(
  'a message of %s is shown without content, because browsers require a notification [R78]',
  async (text) => {
    await push(text);
    expect(shown).toMatchObject([{ title: 'Snapswipe', body: 'Something is new.', data: { link: '/' } }]);
  },
);

test('a press focuses the tab that shows the page [R78]', async () => {
  tabs = [`${ORIGIN}/submit-project`, `${ORIGIN}/portfolio`];
  await press({ link: '/portfolio' });
  expect([focused, opened]).toEqual([[`${ORIGIN}/portfolio`], []]);
});

test('a press opens the page when no tab shows it [R78]', async () => {
  tabs = [`${ORIGIN}/projects/coral`];
  await press({ link: '/projects/coral#review-4' });
  expect([focused, opened]).toEqual([[], [`${ORIGIN}/projects/coral#review-4`]]);
});

test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)', 4, undefined])(
  'a press never leaves the site, also for %s [R78]',
  async (link) => {
    await press({ link });
    await press(null);
    expect(opened).toEqual([`${ORIGIN}/`, `${ORIGIN}/`]);
  },
);

test('the badge of a notification is a mark on a transparent ground, because Android draws its alpha channel alone [R78]', async () => {
  const { data, info } = await sharp(`web/public${BADGE}`).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const opaque = data.filter((value, at) => at % info.channels === info.channels - 1 && value > 200).length;
  expect(info.width).toBe(96);
  expect(opaque / (info.width * info.height)).toBeGreaterThan(0.15);
  expect(opaque / (info.width * info.height)).toBeLessThan(0.6);
});

test('a subscription that the browser renewed is sent to the site, or made again with the old options [R78]', async () => {
  const sent: unknown[] = [];
  const made = { toJSON: () => ({ endpoint: 'https://push.example/new', keys: { p256dh: 'key', auth: 'secret' } }) };
  const subscribe = async (options: unknown) =>
    options === 'old options' ? made : Promise.reject(new Error('no key'));
  const renewing = {
    registration: { pushManager: { getSubscription: async () => null, subscribe } },
    fetch: async (path: string, { body }: { body: string }) => void sent.push([path, JSON.parse(body)]),
  } as unknown as WorkerScope;
  for (const event of [{ newSubscription: made }, { oldSubscription: { options: 'old options' } }, {}])
    await renewPushed(renewing, event as unknown as RenewalEvent);
  expect(sent).toEqual(Array.from({ length: 2 }, () => ['/api/push/renewal', made.toJSON()]));
});
