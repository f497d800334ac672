import { drawnScreens } from '#shared/screens.ts';
import type { Plugin } from 'vite';

const DRAWN = new Set(drawnScreens.map((name) => `../pages/${name}/${name}-page.tsx`));

/** Removes code that the browser loads on demand from the server's bundle, except the pages that the server draws. */
export function withoutLaterCode(): Plugin {
  return {
    name: 'without-later-code',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveDynamicImport: (specifier) => (DRAWN.has(specifier) ? null : { id: specifier, external: true }),
  };
}
