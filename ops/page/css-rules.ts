import { transform, type Rule, type Selector, type SelectorComponent } from 'lightningcss';

export interface StyleRule {
  selectors: Selector[];
  layers: string[];
  line: number;
}

export interface Stylesheet {
  rules: StyleRule[];
  keyframes: string[];
  utilities: string[];
}

export function parseStylesheet(filename: string, css: string): Stylesheet {
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

export function classesOf(selector: Selector): string[] {
  return selector.flatMap((part) => {
    if (part.type === 'class') return [part.name];
    return innerSelectors(part).flatMap(classesOf);
  });
}

/** `.card h2` styles headings, `h2 .card` a card. */
export function stylesAClass(selector: Selector): boolean {
  let ownsSubject = false;
  for (const part of selector) {
    if (part.type === 'combinator' && part.value !== 'pseudo-element') ownsSubject = false;
    if (part.type === 'class' || part.type === 'nesting') ownsSubject = true;
    const inner = part.type === 'pseudo-class' && (part.kind === 'is' || part.kind === 'where') ? part.selectors : [];
    if (inner.length > 0 && inner.every(stylesAClass)) ownsSubject = true;
  }
  return ownsSubject;
}

export const isGlobal = (selector: Selector): boolean =>
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
