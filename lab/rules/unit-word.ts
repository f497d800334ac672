import { parseSync, Visitor } from 'vite';
import { read, sources } from './sources.ts';

/** Votes earn Snaps in all texts for people; these texts of the specification keep their wording. */
const FIXED: readonly RegExp[] = [
  /^\+… TOKENS$/, // S2.13
  /^\+… tokens$/, // S2.28
  /^Total Tokens$/, // S2.27
  /^Withdraw Tokens$/, // S2.27
  /^Post Review \(… tokens\)$/, // S2.34
  /^Minimum withdrawal is … tokens$/, // S5.5
  /^You only have … tokens$/, // S5.5
  /^You need at least … tokens to post a review\. Vote on projects to earn tokens!$/, // S5.6
  /^Your tokens will be sent to your wallet shortly\. The admin will process your withdrawal\.$/, // S8.21
  /^… tokens have been burned$/, // S8.21
];

/** Other things called tokens: the token of a login, and coins of any kind in a wallet. */
const OTHERS =
  /^Token$|Why you voted: team, product, token|X-Admin-Token|admin session that the token names|^A home for your tokens$/;

/** Files with texts for people; tests and their helpers repeat them. */
const FILES = /^(?:web|server|shared)\/(?!testing\/|properties\/|.*\/testing\/).*(?<!\.test)\.tsx?$/;

/** The text of one child of an element; nested elements are read separately. */
function textOf(child: { type: string; value?: unknown }): string {
  if (child.type === 'JSXText') return String(child.value);
  return child.type === 'JSXExpressionContainer' ? '…' : ' ';
}

/**
 * Texts for people in a source: strings and templates ('…' for inserted values) of several words or with a capital, and
 * JSX.
 */
export function spokenTexts(file: string, source: string): string[] {
  const found: string[] = [];
  const tagged = new Set<number>();
  const say = (text: string): void => {
    const words = text.replaceAll(/\s+/g, ' ').trim();
    if (/ |^[A-Z+…]/.test(words)) found.push(words);
  };
  const { program } = parseSync(file, source);
  new Visitor({
    TaggedTemplateExpression: ({ quasi }) => void tagged.add(quasi.start),
    Literal: ({ value }) => (typeof value === 'string' ? say(value) : undefined),
    JSXElement: ({ children }) => say(children.map(textOf).join('')),
    CallExpression: ({ callee, arguments: [, word] }) => {
      const isCounted = callee.type === 'Identifier' && callee.name === 'plural';
      if (isCounted && word?.type === 'Literal' && typeof word.value === 'string') say(`… ${word.value}`);
    },
    TemplateLiteral: ({ start, quasis }) =>
      tagged.has(start) ? undefined : say(quasis.map(({ value }) => value.cooked ?? '').join('…')),
  }).visit(program);
  return found;
}

export function unitOffences(file: string, source: string): string[] {
  return spokenTexts(file, source)
    .filter((text) => /\btokens?\b/i.test(text) && !OTHERS.test(text) && !FIXED.some((fixed) => fixed.test(text)))
    .map((text) => `${file}: "${text}", say Snaps (lab/rules/unit-word.ts)`);
}

export async function findUnits(): Promise<string[]> {
  const files = await sources();
  return files.filter((file) => FILES.test(file)).flatMap((file) => unitOffences(file, read(file)));
}
