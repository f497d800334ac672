import { drawnScreens } from '#shared/site/screens.ts';
import type { Plugin } from 'vite';

const DRAWN = new Set([
  './pages.ts',
  '../components/layout/footer.tsx',
  ...drawnScreens.map((name) => `../pages/${name}/${name}-page.tsx`),
]);

export function withoutLaterCode(): Plugin {
  return {
    name: 'without-later-code',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveDynamicImport: (specifier) => (DRAWN.has(specifier) ? null : { id: specifier, external: true }),
  };
}
