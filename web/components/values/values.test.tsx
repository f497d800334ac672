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
import { PercentBadge } from './percent-badge.tsx';
import { RankBadge } from './rank-badge.tsx';
import { SnapWorth } from './snap-worth.tsx';
import { TimeLeft } from './time-left.tsx';
import { VoteBar } from './vote-bar.tsx';
import { VoterStateBadge, VoteStateBadge } from './voter-state.tsx';
import { WithdrawalStateBadge } from './withdrawal-state.tsx';

useTestPage();
/** The color of the words: 'bull', 'warn', 'bear', 'link' for the accent, 'muted' for neither. */
const toneOf = (element: HTMLElement): string | undefined =>
  / text-(bull|warn|bear|link|muted) /.exec(` ${element.className} `)?.[1];

describe('a share of votes', () => {
  test.each([
    ['green', 'bull', 'up'],
    ['yellow', 'warn', 'up'],
    ['red', 'bear', 'down'],
  ] as const)('in %s has its color and its arrow [S2.37]', (tone, color, way) => {
    const { container } = render(<PercentBadge percent={64} tone={tone} totalVotes={1} className="own" />);
    const badge = screen.getByText('64% bullish');
    expect(toneOf(badge)).toBe(color);
    expect(badge).toHaveClass('own');
    expect(container.querySelector('svg')).toHaveClass(`lucide-trending-${way}`);
  });

  test('without a vote is no number, in no color', () => {
    const { container } = render(<PercentBadge percent={0} tone="red" totalVotes={0} />);
    expect(container).toHaveTextContent(/^No votes yet$/);
    expect(toneOf(screen.getByText('No votes yet'))).toBe('muted');
    expect(container.querySelector('svg')).toBeNull();
  });

  test('is a bar of both sides, with its interval over it where that is asked for', () => {
    const { container, rerender } = render(<VoteBar bullish={3} bearish={1} hasInterval />);
    const parts = () => [...container.querySelectorAll('span')];
    expect(container.firstElementChild).toHaveAttribute('aria-hidden', 'true');
    const [bullish, bearish, interval] = parts();
    expect([bullish?.style.flexGrow, bearish?.style.flexGrow]).toEqual(['3', '1']);
    expect(bullish).toHaveClass('bg-bull');
    expect(bearish).toHaveClass('bg-bear');
    // 30 to 95 %.
    expect(Number.parseFloat(interval?.style.left ?? '')).toBeCloseTo(30.1, 0);
    expect(Number.parseFloat(interval?.style.right ?? '')).toBeCloseTo(4.6, 0);
    rerender(<VoteBar bullish={3} bearish={1} />);
    expect(parts()).toHaveLength(2);
    rerender(<VoteBar bullish={0} bearish={0} hasInterval />);
    expect(parts()).toEqual([]);
  });

  test('comes with its interval, its sample and the verified part of it; without votes there is nothing to say [R44]', () => {
    const { container, rerender } = render(
      <Evidence votes={{ bullish: 3, bearish: 1 }} verified={{ bullish: 1, bearish: 1 }} className="own" />,
    );
    expect(container).toHaveTextContent('likely 30–95% 2 of 4 verified: 50% bullish');
    expect(container.firstElementChild).toHaveClass('own');
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

describe('states, as a word in a color', () => {
  test.each([
    ['standing', 'Verified', 'bull'],
    ['waiting', 'Not verified yet', 'muted'],
    ['no_standing', 'Not verified', 'warn'],
  ] as const)('of a voter: %s [R37]', (state, word, color) => {
    render(<VoterStateBadge state={state} />);
    expect(toneOf(screen.getByText(word))).toBe(color);
  });

  test.each([
    ['verified', 'Verified', 'bull'],
    ['waiting', 'Not verified yet', 'muted'],
    ['no_standing', 'Excluded: held too little SUI', 'warn'],
    ['rhythm', 'Excluded: looks automated', 'warn'],
    ['moderator', 'Excluded by a moderator', 'warn'],
    ['replaced', 'Replaced by a newer vote', 'muted'],
  ] as const)('of a vote: %s [R38 R39]', (state, word, color) => {
    const { container } = render(<VoteStateBadge state={state} />);
    expect(toneOf(screen.getByText(word))).toBe(color);
    expect(container.querySelector('svg')).toHaveAttribute('aria-hidden', 'true');
  });

  test.each([
    ['requested', 'Requested', 'muted'],
    ['approved', 'Approved', 'link'],
    ['sending', 'Sending', 'link'],
    ['paid', 'Paid', 'bull'],
    ['failed', 'Failed', 'warn'],
    ['rejected', 'Rejected', 'bear'],
  ] as const)('of a withdrawal: %s [R14]', (state, word, color) => {
    render(<WithdrawalStateBadge state={state} />);
    expect(toneOf(screen.getByText(word))).toBe(color);
  });
});

test('the first three ranks are medals, with their metal in words [S2.15 S2.37]', () => {
  const { container } = render([1, 2, 3, 4].map((rank) => <RankBadge key={rank} rank={rank} ordinals={rank === 2} />));
  const badges = [...container.children].map((badge) => [
    badge.textContent,
    badge.getAttribute('title'),
    badge.getAttribute('data-medal'),
    /bg-\w+/.exec(badge.className)?.[0],
  ]);
  expect(badges).toEqual([
    ['1', '1st place, gold', 'gold', 'bg-gold'],
    ['2nd', '2nd place, silver', 'silver', 'bg-silver'],
    ['3', '3rd place, bronze', 'bronze', 'bg-bronze'],
    ['4', '4th place', null, 'bg-raised'],
  ]);
});

describe('a digest', () => {
  const DIGEST = 'ABCDEFGHIJ/klmnopqrstuvwxyz';

  test('is shortened to both ends, and leads to the explorer in a new tab', () => {
    render(<Digest digest={DIGEST} className="own" />);
    const link = screen.getByRole('link', { name: `ABCDEFGH…uvwxyz View transaction ${DIGEST} in the explorer` });
    expect(link).toHaveAttribute('href', 'https://explorer.example/tx/ABCDEFGHIJ%2Fklmnopqrstuvwxyz');
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveClass('own');
    expect(screen.getByTitle(DIGEST)).toHaveTextContent(/^ABCDEFGH…uvwxyz$/);
  });

  test.each([[null], ['javascript:alert(1)']])('is only text where the explorer is %j', (explorerUrl) => {
    setSite({ ...SITE, explorerUrl });
    render(<Digest digest={DIGEST} className="own" />);
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.getByTitle(DIGEST).parentElement).toHaveClass('own');
  });
});

test('a Snap is worth one of the coin that is set; without one the page says that there is none', () => {
  const { container, unmount } = render(<SnapWorth className="own" />);
  expect(container).toHaveTextContent('This site has no payout coin yet. The team decides what a payout is and when.');
  expect(container.firstElementChild).toHaveClass('own');
  unmount();
  setSite({ ...SITE, snapsCoinType: '0xabc::snaps::SNAPS' });
  render(<SnapWorth />);
  expect(screen.getByText(/^1 Snap is paid as 1 SNAPS on Sui/)).toBeVisible();
  expect(screen.getByText('Which coin').parentElement).toHaveTextContent('0xabc::snaps::SNAPS');
});

test('the time that is left goes on by itself, past its end, with the exact time beside it [S4.6]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  const end = new Date(Date.now() + 86_400_000 + 3_600_000 + 20_000);
  const { unmount } = render(<TimeLeft iso={end.toISOString()} className="own" />);
  const time = screen.getByText('1d 1h remaining');
  expect(time).toHaveAttribute('datetime', end.toISOString());
  expect(time).toHaveAttribute('title', momentText(end.toISOString()));
  expect(time.title).toMatch(/^\d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d$/);
  expect(time).toHaveClass('own');
  await pass(30_000);
  expect(time).toHaveTextContent('1d 0h remaining');
  await pass(2 * 86_400_000);
  expect(time).toHaveTextContent('Expired 0d 23h ago');
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
