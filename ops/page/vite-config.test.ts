import path from 'node:path';
import { expect, test, vi } from 'vitest';

test('the page is built from a folder with dollar signs in its name', async () => {
  const folder = path.join(path.sep, 'srv', '$$own $& $HOME');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  const { default: config } = await import('../../vite.config.ts');
  vi.restoreAllMocks();
  const alias = [config.resolve?.alias ?? []].flat() as Array<{ find: RegExp; replacement: string }>;
  const resolved = alias.map(({ find, replacement }) => '../createLucideIcon.mjs'.replace(find, replacement));
  expect(resolved).toContain(path.join(folder, 'web', 'ui', 'create-icon.ts'));
});
