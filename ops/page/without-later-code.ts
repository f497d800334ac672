import type { Plugin } from 'vite';

/** Removes code that the browser loads on demand from the server's bundle: the first paint shows none of it. */
export function withoutLaterCode(): Plugin {
  return {
    name: 'without-later-code',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveDynamicImport: (specifier) => ({ id: specifier, external: true }),
  };
}
