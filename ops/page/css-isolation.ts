import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { transform, type Rule, type Selector, type SelectorComponent } from 'lightningcss';
import { MODULE_SUFFIX, scopedName } from './css-names.ts';
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
    for (const name of new Set([...classNames(sheet.rules), ...sheet.keyframes, ...sheet.utilities])) {
      const owner = owners.get(scope(name)) ?? file;
      owners.set(scope(name), owner);
      if (owner !== file) leaks.push(`${file}: "${scope(name)}" is already defined in ${owner}`);
    }
  }
  return leaks;
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

interface StyleRule {
  selectors: Selector[];
  layers: string[];
  line: number;
}

interface Stylesheet {
  rules: StyleRule[];
  keyframes: string[];
  utilities: string[];
}

function parseStylesheet(filename: string, css: string): Stylesheet {
  const found: Stylesheet = { rules: [], keyframes: [], utilities: [] };
  transform({
    filename,
    code: Buffer.from(css),
    // Tailwind's @import, @theme and @custom-variant are beyond the standard.
    errorRecovery: true,
    customAtRules: { utility: { prelude: '<custom-ident>', body: 'style-block' } },
    visitor: { StyleSheet: ({ rules }) => collect(rules, [], found) },
  });
  return found;
}

function collect(rules: Rule[], layers: string[], found: Stylesheet): void {
  for (const rule of rules) {
    switch (rule.type) {
      case 'style':
        found.rules.push({ selectors: rule.value.selectors, layers, line: rule.value.loc.line + 1 });
        collect(rule.value.rules ?? [], layers, found);
        break;
      case 'nesting':
        collect([{ type: 'style', value: rule.value.style }], layers, found);
        break;
      case 'layer-block':
        collect(rule.value.rules, [...layers, (rule.value.name ?? []).join('.')], found);
        break;
      case 'media':
      case 'supports':
      case 'container':
      case 'scope':
      case 'starting-style':
        collect(rule.value.rules, layers, found);
        break;
      case 'keyframes':
        found.keyframes.push(rule.value.name.value);
        break;
      case 'custom':
        collectUtility(rule.value as unknown as UtilityRule, layers, found);
        break;
      default:
        break;
    }
  }
}

interface UtilityRule {
  prelude: { value: string };
  body: { value: Rule[] };
}

function collectUtility({ prelude, body }: UtilityRule, layers: string[], found: Stylesheet): void {
  found.utilities.push(prelude.value);
  collect(body.value, layers, found);
}

function classesOf(selector: Selector): string[] {
  return selector.flatMap((part) => {
    if (part.type === 'class') return [part.name];
    return innerSelectors(part).flatMap(classesOf);
  });
}

/** `.card h2` styles headings, `h2 .card` a card. */
function stylesAClass(selector: Selector): boolean {
  let ownsSubject = false;
  for (const part of selector) {
    if (part.type === 'combinator' && part.value !== 'pseudo-element') ownsSubject = false;
    if (part.type === 'class' || part.type === 'nesting') ownsSubject = true;
    const inner = part.type === 'pseudo-class' && (part.kind === 'is' || part.kind === 'where') ? part.selectors : [];
    if (inner.length > 0 && inner.every(stylesAClass)) ownsSubject = true;
  }
  return ownsSubject;
}

const isGlobal = (selector: Selector): boolean =>
  selector.some(
    (part) =>
      (part.type === 'pseudo-class' && 'name' in part && part.name === 'global') || innerSelectors(part).some(isGlobal),
  );

function innerSelectors(part: SelectorComponent): Selector[] {
  if (part.type !== 'pseudo-class') return [];
  if (part.kind === 'host') return part.selectors ? [part.selectors] : [];
  if ('of' in part) return part.of ?? [];
  return 'selectors' in part ? part.selectors : [];
}
