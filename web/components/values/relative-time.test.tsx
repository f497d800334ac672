// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { pass, useTestPage } from '../../testing/screen.tsx';
import { RelativeTime } from './relative-time.tsx';

useTestPage();

test('a relative time advances every half minute [S9.16]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  render(<RelativeTime iso={new Date(Date.now() - 20_000).toISOString()} />);
  expect(screen.getByText('less than a minute ago')).toBeVisible();
  await pass(30_000);
  expect(screen.getByText('1 minute ago')).toBeVisible();
  await pass(60_000);
  expect(screen.getByText('2 minutes ago')).toBeVisible();
});
