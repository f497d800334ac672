import { afterEach, expect, test, vi } from 'vitest';
import page from '../index.html?raw';
import { chooseTheme } from './theme.ts';

const CASES = [
  { saved: 'light', dark: true, theme: 'light' },
  { saved: 'dark', dark: false, theme: 'dark' },
  { saved: null, dark: true, theme: 'dark' },
  { saved: null, dark: false, theme: 'light' },
  { saved: 'purple', dark: true, theme: 'dark' },
] as const;

afterEach(() => vi.unstubAllGlobals());

test.each(CASES)(
  'with saved theme $saved and a dark system $dark the theme is $theme [S4.3]',
  ({ saved, dark, theme }) => {
    expect(chooseTheme(saved, dark)).toBe(theme);
  },
);

test.each(CASES)('the boot script picks the same theme: $saved, $dark: $theme [S4.3]', ({ saved, dark, theme }) => {
  const script = /<script data-boot>([^]*?)<\/script>/.exec(page)?.[1] ?? '';
  const root = { dataset: { theme: '' } };
  const meta = { content: '' };
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'theme' ? saved : null) });
  vi.stubGlobal('matchMedia', () => ({ matches: dark }));
  vi.stubGlobal('document', { documentElement: root, querySelector: () => meta });
  // oxlint-disable-next-line typescript/no-implied-eval -- the script under test is text in a page
  new Function(script)();
  expect(root.dataset.theme).toBe(theme);
  expect(meta.content).toBe(theme === 'dark' ? '#07101b' : '#f5f4ef');
});

test('the boot script runs when storage throws [S3.14]', () => {
  const script = /<script data-boot>([^]*?)<\/script>/.exec(page)?.[1] ?? '';
  const root = { dataset: { theme: '' } };
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied');
    },
  });
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.stubGlobal('document', { documentElement: root, querySelector: () => ({ content: '' }) });
  // oxlint-disable-next-line typescript/no-implied-eval -- the script under test is text in a page
  new Function(script)();
  expect(root.dataset.theme).toBe('dark');
});
