import { parseSync, Visitor } from 'vite';
import { spokenTexts } from './unit-word.ts';

/** A text in English that a file holds for its readers. Texts of the API carry no position. */
export interface Prose {
  kind: 'comment' | 'title' | 'document' | 'text';
  text: string;
  start: number;
  end: number;
}

/** Comments that tools read. Those that switch a rule off may give a reason after "--". */
const DIRECTIVE = /^\s*(?:oxlint-|eslint-|@ts-|@vite-|v8 ignore|#__PURE__|\/ <reference|@__)/;

const TEST_FUNCTION = /^(?:test|it|describe)$/;

type Node = { type: string; start: number; end: number };

/** Without the marks of a comment, and without the reason's directive. */
function withoutMarks(comment: string): string {
  const text = comment.replaceAll(/^[ \t]*(?:\/\/|\/\*\*?|\*(?!\/)|--|#|<!--)?[ \t]?|\s*(?:\*\/|-->)$/gm, '').trim();
  if (!DIRECTIVE.test(text)) return text;
  return / -- (?<reason>[\s\S]*)/.exec(text)?.groups?.reason ?? '';
}

/** The function that a call of test, test.each(…) or describe.skipIf(…) starts with. */
function rootName(callee: unknown): string {
  const node = callee as { type: string; name?: string; object?: unknown; callee?: unknown; tag?: unknown };
  if (node.type === 'Identifier') return node.name ?? '';
  const inner = node.object ?? node.callee ?? node.tag;
  return inner === undefined ? '' : rootName(inner);
}

function commentsOf(source: string, comments: Array<{ type: string } & Omit<Node, 'type'>>): Prose[] {
  const found: Prose[] = [];
  let last: { type: string; end: number } | undefined;
  for (const { type, start, end } of comments) {
    const joins = type === 'Line' && last?.type === 'Line' && /^\r?\n[ \t]*$/.test(source.slice(last.end, start));
    const previous = joins ? found.at(-1) : undefined;
    if (previous && !DIRECTIVE.test(source.slice(start + 2, end))) previous.end = end;
    else found.push({ kind: 'comment', text: '', start, end });
    last = { type, end };
  }
  return found.map((prose) => ({ ...prose, text: withoutMarks(source.slice(prose.start, prose.end)) }));
}

function titlesOf(program: ReturnType<typeof parseSync>['program']): Prose[] {
  const found: Prose[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      if (title === undefined || !TEST_FUNCTION.test(rootName(callee))) return;
      const { start, end } = title;
      if (title.type === 'Literal' && typeof title.value === 'string')
        found.push({ kind: 'title', text: title.value, start, end });
      if (title.type === 'TemplateLiteral')
        found.push({ kind: 'title', text: title.quasis.map(({ value }) => value.cooked ?? '').join('…'), start, end });
    },
  }).visit(program);
  return found;
}

function matches(source: string, pattern: RegExp): Prose[] {
  return [...source.matchAll(pattern)].map(({ 0: text, index }) => ({
    kind: 'comment',
    text: withoutMarks(text),
    start: index,
    end: index + text.length,
  }));
}

function paragraphsOf(source: string): Prose[] {
  const blank = (code: string): string => code.replaceAll(/[^\n]/g, ' ');
  const text = source
    .replaceAll(/^```[\s\S]*?^```/gm, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => '…'.padEnd(code.length));
  return [...text.matchAll(/^#+ .*|[^\n]+(?:\n(?!\s*(?:\n|[-*|#]|\d+\.)).+)*/gm)].map(({ 0: paragraph, index }) => ({
    kind: 'document',
    text: paragraph.replace(/^\s*(?:[-*#>|]+|\d+\.)?\s*/, ''),
    start: index,
    end: index + paragraph.length,
  }));
}

const API = /^(?:server|shared)\/(?!testing\/|properties\/|.*\/testing\/).*(?<!\.test)\.ts$/;

export function proseOf(file: string, source: string): Prose[] {
  if (file.endsWith('.md')) return paragraphsOf(source);
  if (file.endsWith('.sql')) return matches(source, /^[ \t]*--.*(?:\n[ \t]*--.*)*|(?<=\S[ \t]+)--[ \t].*$/gm);
  if (file.endsWith('.css')) return matches(source, /\/\*[\s\S]*?\*\//g);
  if (/\.(?:sh|yml)$/.test(file)) return matches(source, /^[ \t]*#(?!!).*(?:\n[ \t]*#.*)*/gm);
  if (!/\.(?:tsx?|mjs)$/.test(file)) return [];
  const { program, comments } = parseSync(file, source);
  const texts = API.test(file) ? spokenTexts(file, source) : [];
  return [
    ...commentsOf(source, comments),
    ...titlesOf(program),
    ...texts.map((text): Prose => ({ kind: 'text', text, start: 0, end: 0 })),
  ];
}
