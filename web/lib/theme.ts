import { THEME_KEY } from '#shared/constants.ts';
import { createStore, useStore } from './external-store.ts';
import { readStored, writeStored } from './storage.ts';

export type Theme = 'light' | 'dark';

/** Colors of the browser's own frame; the boot script of index.html has the same two. */
const FRAME_COLORS: Record<Theme, string> = { dark: '#07101b', light: '#f5f4ef' };

export function chooseTheme(saved: string | null, systemPrefersDark: boolean): Theme {
  if (saved === 'light' || saved === 'dark') return saved;
  return systemPrefersDark ? 'dark' : 'light';
}

const darkQuery = '(prefers-color-scheme: dark)';
/** The server knows no visitor's choice and draws the dark theme's switch; the colours come from CSS. */
const DRAWN: Theme = 'dark';
const theme = createStore<Theme>(DRAWN);

function show(next: Theme): void {
  theme.set(next);
  document.documentElement.dataset.theme = next;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', FRAME_COLORS[next]);
}

export function startTheme(): void {
  const follow = () => show(chooseTheme(readStored(THEME_KEY), matchMedia(darkQuery).matches));
  follow();
  matchMedia(darkQuery).addEventListener('change', follow);
  addEventListener('storage', (event) => {
    if (event.key === THEME_KEY) follow();
  });
}

export function toggleTheme(): void {
  const next = theme.get() === 'dark' ? 'light' : 'dark';
  writeStored(THEME_KEY, next);
  show(next);
}

export function useTheme(): Theme {
  return useStore(theme, () => DRAWN);
}
