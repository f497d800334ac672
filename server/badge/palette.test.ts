import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { paletteCss } from './palette.ts';

/** Names here, and those of the page's themes. */
const TOKENS = {
  deep: 'deep',
  page: 'bg',
  surface: 'surface',
  raised: 'raised',
  line: 'line',
  text: 'text',
  muted: 'muted',
  green: 'bull',
  yellow: 'warn',
  red: 'bear',
  accent: 'accent',
  onaccent: 'on-accent',
};

test('badges and embedded cards have the colors of the page, in both themes [R52]', async () => {
  const css = await readFile(new URL('../../web/styles/tokens.css', import.meta.url), 'utf8');
  const blocks = {
    dark: /^:root \{([^}]*)\}/m.exec(css)?.[1] ?? '',
    light: /^:root\[data-theme='light'\] \{([^}]*)\}/m.exec(css)?.[1] ?? '',
  };
  for (const theme of ['light', 'dark'] as const) {
    const colorOf = (token: string) => new RegExp(`--c-${token}: (#[0-9a-f]{6});`).exec(blocks[theme])?.[1];
    const expected = Object.entries(TOKENS).map(([name, token]) => `--${name}:${colorOf(token)}`);
    expect(paletteCss(theme)).toBe(`:root{${expected.join(';')}}`);
  }
  expect(paletteCss('auto')).toBe(`${paletteCss('light')}@media(prefers-color-scheme:dark){${paletteCss('dark')}}`);
});
