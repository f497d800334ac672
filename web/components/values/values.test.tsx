// @vitest-environment happy-dom
/** Small pieces that show one value each: their words, and the color that says the same. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { momentText } from '../../lib/moment-text.ts';
import { setSite } from '../../lib/site.ts';
import { SITE } from '../../testing/made-up.ts';
import { pass, useTestPage } from '../../testing/screen.tsx';
import { Digest } from './digest.tsx';
import { Evidence, EvidenceLook } from './evidence.tsx';
import { TimeLeft } from './time-left.tsx';

useTestPage();

describe('a share of votes', () => {
  test('comes with its interval, its sample, the verified part and the last 30 days; without votes there is nothing to say [R44 R58]', () => {
    const { container, rerender } = render(
      <Evidence votes={{ bullish: 3, bearish: 1 }} verified={{ bullish: 1, bearish: 1 }} />,
    );
    expect(container).toHaveTextContent('likely 30–95% 2 of 4 verified: 50% bullish');
    rerender(
      <Evidence
        votes={{ bullish: 9, bearish: 9 }}
        verified={{ bullish: 0, bearish: 0 }}
        now={{ bullish: 2, bearish: 9 }}
      />,
    );
    expect(container).toHaveTextContent(/ now 18% of 11 \(5–48%\)$/);
    for (const part of container.querySelectorAll('[data-evidence] span')) expect(part).toHaveAttribute('title');
    rerender(<Evidence votes={{ bullish: 0, bearish: 0 }} verified={{ bullish: 0, bearish: 0 }} />);
    expect(container).toBeEmptyDOMElement();
  });

  test('keeps its evidence one look away: by hover, focus and press, until Escape or another place [R44]', async () => {
    const user = userEvent.setup();
    render(
      <EvidenceLook
        votes={{ bullish: 3, bearish: 1 }}
        verified={{ bullish: 1, bearish: 1 }}
        name="Coral"
        place="right-0"
      />,
    );
    const sign = screen.getByRole('button', { name: 'Evidence for Coral' });
    const words = screen.getByText('likely 30–95%');
    expect(sign).toHaveAccessibleDescription(/likely 30–95% 2 of 4 verified: 50% bullish/);
    expect(words).not.toBeVisible();
    await user.hover(sign);
    expect(words).toBeVisible();
    await user.unhover(sign);
    expect(words).not.toBeVisible();
    await user.tab();
    expect(words).toBeVisible();
    await user.keyboard('{Escape}');
    expect(words).not.toBeVisible();
    await user.click(sign);
    expect(words).toBeVisible();
    await user.tab();
    await user.unhover(sign);
    expect(words).not.toBeVisible();
  });
});

describe('a digest', () => {
  const DIGEST = 'ABCDEFGHIJ/klmnopqrstuvwxyz';

  test.each([[null], ['javascript:alert(1)']])('is only text where the explorer is %j', (explorerUrl) => {
    setSite({ ...SITE, explorerUrl });
    render(<Digest digest={DIGEST} />);
    expect(screen.queryByRole('link')).toBeNull();
  });
});

test('the time left advances, also past its end, with the exact time beside it [S4.6]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  const end = new Date(Date.now() + 86_400_000 + 3_600_000 + 20_000);
  const { unmount } = render(<TimeLeft iso={end.toISOString()} />);
  const time = screen.getByText('1d 1h remaining');
  expect(time).toHaveAttribute('datetime', end.toISOString());
  expect(time).toHaveAttribute('title', momentText(end.toISOString()));
  expect(time.title).toMatch(/^\d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d$/);
  await pass(30_000);
  expect(time).toHaveTextContent('1d 0h remaining');
  await pass(2 * 86_400_000);
  expect(time).toHaveTextContent('Expired 0d 23h ago');
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
