import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { claim, namesOf } from './css-isolation.ts';
import { parseStylesheet } from './css-rules.ts';
import { CURRENT_RELEASE } from './releases.ts';

/**
 * Checks the built page in the same way, including the stylesheets of libraries. Chunks' styles stay once they are
 * loaded, so no class and no animation may be in two of them, and no rule may be outside of a layer, where it overrides
 * all others. Returns the number of stylesheets.
 * @throws Error naming each leak.
 */
export async function checkBuiltStyles(dist = CURRENT_RELEASE): Promise<number> {
  const folder = path.join(dist, 'assets');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.css')).sort();
  const owners = new Map<string, string>();
  const leaks: string[] = [];
  for (const file of files) {
    const sheet = parseStylesheet(file, await readFile(path.join(folder, file), 'utf8'));
    for (const name of namesOf(sheet)) leaks.push(...claim(owners, name, file));
    const unlayered = sheet.rules.filter(({ layers }) => layers.length === 0);
    // The product's own sheet has a few of these: the tokens of both themes, and the end of all motion.
    if (!file.startsWith('index-') && unlayered.length > 0)
      leaks.push(`${file}: ${unlayered.length} rules outside of a layer`);
  }
  if (leaks.length > 0) throw new Error(`Styles of one page reach another:\n${leaks.join('\n')}`);
  return files.length;
}
