/** Colors of badges and embedded cards: those of the page's themes (web/styles/tokens.css), which no other site has. */
const PALETTES = {
  light: {
    deep: '#e9e8e1',
    page: '#f5f4ef',
    surface: '#fffefb',
    raised: '#f0f1ee',
    line: '#dbdcd6',
    text: '#0b1c2c',
    muted: '#3f5264',
    green: '#067647',
    yellow: '#855300',
    red: '#b4232f',
    accent: '#0069b8',
    onaccent: '#ffffff',
  },
  dark: {
    deep: '#040a12',
    page: '#07101b',
    surface: '#0d1a29',
    raised: '#14253a',
    line: '#20364f',
    text: '#edf4fb',
    muted: '#b0c2d4',
    green: '#3ddc9b',
    yellow: '#f6c65b',
    red: '#ff8080',
    accent: '#43c6ff',
    onaccent: '#03141f',
  },
} as const;

const THEMES = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof THEMES)[number];

export const themeOf = (asked: unknown): Theme => THEMES.find((theme) => theme === asked) ?? 'auto';

const variables = (name: 'light' | 'dark', root = ':root'): string =>
  `${root}{${Object.entries(PALETTES[name])
    .map(([color, value]) => `--${color}:${value}`)
    .join(';')}}`;

/** The palette as CSS variables: `var(--surface)`. 'page' also follows the choice of theme, as `data-theme` of the root. */
export function paletteCss(theme: Theme | 'page'): string {
  if (theme === 'light' || theme === 'dark') return variables(theme);
  const auto = `${variables('light')}@media(prefers-color-scheme:dark){${variables('dark')}}`;
  if (theme === 'auto') return auto;
  return `${auto}${variables('light', ':root[data-theme=light]')}${variables('dark', ':root[data-theme=dark]')}`;
}
