// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recordEvent } from '#shared/contract/insights.ts';
import { listSimilar } from '#shared/contract/trends.ts';
import { projectPageOf, USER } from '../../testing/made-up.ts';
import { act, draw, toastShown, useTestPage } from '../../testing/screen.tsx';
import { toasts } from '../../lib/toast.ts';
import { PassOn } from './pass-on.tsx';
import type { ProjectView } from './project-view.ts';

const server = useTestPage();
const PROJECT = projectPageOf(1);
const LINK = `${location.origin}/projects/project-1?from=link`;
beforeEach(() => server().respond(listSimilar, []));

/** Tells that all is near. */
class NearObserver {
  readonly #tell: (entries: Array<{ isIntersecting: boolean }>) => void;
  constructor(tell: IntersectionObserverCallback) {
    this.#tell = (entries) => tell(entries as IntersectionObserverEntry[], this as unknown as IntersectionObserver);
  }
  observe(): void {
    this.#tell([{ isIntersecting: true }]);
  }
  disconnect(): void {}
}
const comeNear = () => vi.stubGlobal('IntersectionObserver', NearObserver);
afterEach(() => void vi.unstubAllGlobals());

test('what is far below the screen is neither read nor drawn', () => {
  draw(<PassOn project={PROJECT} />);
  expect(screen.queryByRole('region', { name: 'Share' })).toBeNull();
  expect(server().calls(listSimilar)).toEqual([]);
});

async function open(changes: Partial<ProjectView> = {}) {
  comeNear();
  const user = userEvent.setup();
  draw(<PassOn project={{ ...PROJECT, ...changes }} />);
  const share = within(await screen.findByRole('region', { name: 'Share' }));
  return { user, share };
}
const shares = () =>
  server()
    .calls(recordEvent)
    .map(({ params, body }) => ({ ...params, ...(body as object) }));
const ONE_SHARE = [{ id: '1', kind: 'share', source: 'page' }];

describe('share [R50]', () => {
  const withSheet = (outcome: () => Promise<void>) => {
    const sheet = vi.fn<Navigator['share']>(outcome);
    Object.defineProperty(navigator, 'share', { value: sheet, configurable: true });
    return sheet;
  };
  const pressShare = async () => {
    const page = await open();
    await page.user.click(page.share.getByRole('button', { name: 'Share…' }));
    return page;
  };
  afterEach(() => Reflect.deleteProperty(navigator, 'share'));

  test('a copied link counts as one share', async () => {
    const { user, share } = await open();
    expect(share.getByRole('img')).toHaveAccessibleName('The card of Project 1 as others will see it');
    await user.click(share.getByRole('button', { name: 'Copy link' }));
    expect(await toastShown()).toMatchObject({ title: 'Copied to clipboard!' });
    expect(await navigator.clipboard.readText()).toBe(LINK);
    await waitFor(() => expect(shares()).toEqual(ONE_SHARE));
  });

  test('a share by the system counts once it is passed on', async () => {
    const passedOn = Promise.withResolvers<void>();
    const sheet = withSheet(() => passedOn.promise);
    await pressShare();
    expect(sheet).toHaveBeenCalledExactlyOnceWith({ title: 'Project 1 on Snapswipe: bullish or bearish?', url: LINK });
    expect(shares()).toEqual([]);
    await act(async () => passedOn.resolve());
    await waitFor(() => expect(shares()).toEqual(ONE_SHARE));
    expect(toasts.get()).toEqual([]);
  });

  test('a closed share sheet is neither a failure nor a share', async () => {
    const sheet = Promise.withResolvers<void>();
    withSheet(() => sheet.promise);
    const { user, share } = await pressShare();
    await act(async () => sheet.reject(new DOMException('closed', 'AbortError')));
    expect(toasts.get()).toEqual([]);
    await user.click(share.getByRole('button', { name: 'Copy link' }));
    await waitFor(() => expect(shares()).toEqual(ONE_SHARE));
  });

  test('a share by the owner does not count', async () => {
    const { user, share } = await open({ submittedBy: USER.walletAddress });
    expect(share.queryByRole('button', { name: 'Share…' })).toBeNull();
    await user.click(share.getByRole('button', { name: 'Copy link' }));
    await toastShown();
    expect(shares()).toEqual([]);
  });
});
