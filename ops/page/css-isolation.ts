import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { MODULE_SUFFIX, scopedName } from './css-names.ts';
import { classesOf, isGlobal, parseStylesheet, stylesAClass, type Stylesheet } from './css-rules.ts';
import { ROOT } from '../process/report.ts';

const GLOBAL_FOLDER = `styles${path.sep}`;
/** Below Tailwind's utilities, so that a class in the markup always overrides a stylesheet. */
const LAYER = 'components';

/**
 * Reads every stylesheet below a folder and reports, in a line each, the rules that let one page's styles reach another
 * page's elements. No lines: the styles are isolated.
 *
 * A stylesheet stays once its chunk is loaded, so two pages with a class of the same name change each other. Rules:
 * only `web/styles/` is global; all other styles are CSS modules whose rules are in `@layer components`. Classes are
 * named `<module>_<class>` without a hash, so that the server's first paint and the browser agree. Rejected: utilities
 * only (keyframes and container queries become unreadable), prefixes by agreement (a missing one goes unnoticed),
 * hashed names (bytes for a uniqueness that this check proves), `@scope` (not in all browsers of the build target).
 */
export async function findStyleLeaks(folder = path.join(ROOT, 'web')): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.css')).sort();
  const leaks: string[] = [];
  const owners = new Map<string, string>();
  for (const file of files) {
    const sheet = parseStylesheet(file, await readFile(path.join(folder, file), 'utf8'));
    const isModule = file.endsWith(MODULE_SUFFIX);
    if (isModule)
      leaks.push(...leaksOfModule(file, sheet), ...(await wrongTypes(path.join(folder, file), file, sheet)));
    else leaks.push(...leaksOfGlobalSheet(file, sheet));
    const scope = (name: string) => (isModule ? scopedName(name, file) : name);
    for (const name of namesOf(sheet)) leaks.push(...claim(owners, scope(name), file));
  }
  return leaks;
}

export function claim(owners: Map<string, string>, name: string, file: string): string[] {
  const owner = owners.get(name) ?? file;
  owners.set(name, owner);
  return owner === file ? [] : [`${file}: "${name}" is already defined in ${owner}`];
}

export function namesOf({ rules, keyframes, utilities }: Stylesheet): Set<string> {
  return new Set([...classNames(rules), ...keyframes, ...utilities]);
}

const classNames = (rules: Stylesheet['rules']) => rules.flatMap(({ selectors }) => selectors.flatMap(classesOf));

function leaksOfModule(file: string, { rules, utilities }: Stylesheet): string[] {
  const leaks = utilities.map((name) => `${file}: utility "${name}" belongs into web/styles`);
  for (const { selectors, layers, line } of rules) {
    const place = `${file}:${line}`;
    if (layers.join('.') !== LAYER) leaks.push(`${place}: a rule outside of @layer ${LAYER}`);
    if (selectors.some(isGlobal)) leaks.push(`${place}: a selector with :global`);
    if (!selectors.every(stylesAClass))
      leaks.push(`${place}: a selector that styles elements without a class of this file`);
  }
  return leaks;
}

function leaksOfGlobalSheet(file: string, { rules }: Stylesheet): string[] {
  if (!file.startsWith(GLOBAL_FOLDER))
    return [`${file}: a stylesheet outside of web/styles must be a *${MODULE_SUFFIX}`];
  return rules
    .filter(({ selectors }) => selectors.some((selector) => classesOf(selector).length > 0))
    .map(({ line }) => `${file}:${line}: a global class; write a CSS module or a @utility`);
}

/**
 * The types of a module list its classes by hand, so that a mistyped class is a type error. This check compares them.
 */
async function wrongTypes(module: string, file: string, sheet: Stylesheet): Promise<string[]> {
  const types = module.replace(/\.css$/, '.d.css.ts');
  if (!existsSync(types)) return [`${file}: ${path.basename(types)} is missing`];
  const declared = [...(await readFile(types, 'utf8')).matchAll(/export const (\w+): string;/g)].map(
    ([, name]) => name,
  );
  const defined = new Set(classNames(sheet.rules));
  const isSame = declared.length === defined.size && declared.every((name) => defined.has(name ?? ''));
  return isSame ? [] : [`${file}: ${path.basename(types)} must declare exactly ${[...defined].sort().join(', ')}`];
}
