// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { projectOf, USER } from '../testing/made-up.ts';
import { act, draw, useTestPage } from '../testing/screen.tsx';
import { serverAway } from '../lib/connection.ts';
import { isNoticeShown, OfflineNotice } from './offline-notice.tsx';
import { keepWaiting, readWaiting } from './waiting-votes.ts';

useTestPage();
const notice = () => document.querySelector('[data-offline-notice]')?.textContent ?? '';

test('the notice says that the server is away, and that votes of a visitor who signed in wait to be sent [R99 R76]', async () => {
  readWaiting(USER.id);
  serverAway.set(false);
  draw(<OfflineNotice />);
  expect([notice(), isNoticeShown.get()]).toEqual(['', false]);
  act(() => serverAway.set(true));
  expect([notice(), isNoticeShown.get()]).toEqual(['The server is away. What you see may be out of date.', true]);
  act(() =>
    keepWaiting({ userId: USER.id, project: projectOf(1), voteType: 'bullish', castAtMs: 1, attemptedAtMs: 1 }),
  );
  expect(notice()).toBe('The server is away · 1 vote waiting to send. A vote counts when it arrives.');
  act(() => serverAway.set(false));
  expect(await screen.findByText('1 vote waiting to send')).toBeVisible();
});
