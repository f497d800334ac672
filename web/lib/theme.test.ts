import { afterEach, describe, expect, test, vi } from 'vitest';
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

describe('the theme is the saved choice, else what the system prefers [S4.3]', () => {
  test.each(CASES)('saved $saved, system dark $dark: $theme', ({ saved, dark, theme }) => {
    expect(chooseTheme(saved, dark)).toBe(theme);
  });

  test.each(CASES)('the boot script of the page decides the same: $saved, $dark: $theme', ({ saved, dark, theme }) => {
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
});

test('a storage that throws does not stop the boot script [S3.14]', () => {
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
