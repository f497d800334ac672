import type { Plugin } from 'vite';

/** Leaves out of the server's bundle what the browser loads on demand: the first paint shows none of it. */
export function withoutLaterCode(): Plugin {
  return {
    name: 'without-later-code',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveDynamicImport: (specifier) => ({ id: specifier, external: true }),
  };
}
