// @vitest-environment happy-dom
import { fireEvent, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ADDRESS } from '../../testing/made-up.ts';
import { useTestPage } from '../../testing/screen.tsx';
import { UserAvatar } from './user-avatar.tsx';

useTestPage();
const ANA = { username: 'ana', walletAddress: ADDRESS, avatarUrl: null };
const drawn = (user: Parameters<typeof UserAvatar>[0]['user'], size?: number) => {
  const { container } = render(<UserAvatar user={user} className="own" {...(size === undefined ? {} : { size })} />);
  return container.firstElementChild as HTMLElement;
};

test('without a picture a user has the first letter of the name, else of the address, on a disc that screen readers skip', () => {
  const disc = drawn(ANA, 30);
  expect(disc).toHaveTextContent(/^a$/);
  expect(disc).toHaveAttribute('aria-hidden', 'true');
  expect(disc).toHaveClass('own', 'rounded-full');
  expect([disc.style.width, disc.style.height]).toEqual(['30px', '30px']);
  expect(drawn({ ...ANA, username: null, walletAddress: `0xf${'0'.repeat(63)}` })).toHaveTextContent(/^f$/);
});

test('its color is always the same for an address, and another one for others', () => {
  const colorOf = (walletAddress: string) => drawn({ ...ANA, walletAddress }).style.background;
  const addresses = ['1', '2', '3', 'a', 'b'].map((digit) => `0x${digit}${'0'.repeat(63)}`);
  expect(colorOf(ADDRESS)).toBe(colorOf(ADDRESS));
  expect(colorOf(ADDRESS)).toMatch(/^linear-gradient\(135deg, hsl\(\d+ 62% 34%\), hsl\(\d+ 70% 24%\)\)$/);
  expect(new Set(addresses.map(colorOf)).size).toBe(addresses.length);
});

test('a picture is shown in its size, decoratively; one that is missing gives way to the disc', () => {
  const { container } = render(<UserAvatar user={{ ...ANA, avatarUrl: '/images/a.webp' }} />);
  const image = container.querySelector('img') as HTMLImageElement;
  expect(image).toHaveAttribute('alt', '');
  expect(image).toHaveAttribute('src', '/images/a.webp');
  expect(image.srcset).toContain('/images/a-96.webp 96w');
  expect(image).toHaveAttribute('sizes', '40px');
  expect(image).toHaveAttribute('loading', 'lazy');
  fireEvent.error(image);
  expect(container).toHaveTextContent(/^a$/);
});
