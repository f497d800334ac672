import { comparisonsOf, type Edit, entryOf, numbersBeside, toSnippet } from './edits.ts';
import { type Change, conditions } from './sql-conditions.ts';
import { type Token, tokensOf } from './sql-tokens.ts';

const SWAPPED: Record<string, string> = {
  DESC: 'ASC',
  ASC: 'DESC',
  MIN: 'max',
  MAX: 'min',
  GREATEST: 'least',
  LEAST: 'greatest',
  TRUE: 'false',
  FALSE: 'true',
  OR: 'AND',
};
const ARITHMETIC: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*' };
/** Several words that go, or become others. */
const PHRASES: Array<[words: string[], text: string]> = [
  [['IS', 'NOT', 'NULL'], 'IS NULL'],
  [['IS', 'NULL'], 'IS NOT NULL'],
  [['NOT', 'EXISTS'], 'EXISTS'],
  [['NOT', 'IN'], 'IN'],
  [['IS', 'NOT', 'DISTINCT'], 'IS DISTINCT'],
  [['IS', 'DISTINCT'], 'IS NOT DISTINCT'],
  [['SKIP', 'LOCKED'], ''],
  [['FOR', 'UPDATE'], ''],
  [['FOR', 'NO', 'KEY', 'UPDATE'], ''],
  [['LEFT', 'JOIN'], 'JOIN'],
  [['SELECT', 'DISTINCT'], 'SELECT'],
];

/** Where `=` assigns instead of comparing: after SET, outside of the CASEs in it. */
class Assignments {
  #sets: Array<{ depth: number; cases: number }> = [];
  #cases = 0;

  /** Whether the `=` at hand assigns; has to be told of every token in turn. */
  see({ text, depth, kind }: Token): boolean {
    if (kind === 'word') {
      if (text === 'CASE') this.#cases += 1;
      if (text === 'END') this.#cases -= 1;
      if (text === 'SET') this.#sets.push({ depth, cases: this.#cases });
    }
    const set = this.#sets.at(-1);
    if (set === undefined) return false;
    const isOver = depth < set.depth || (depth === set.depth && /^(WHERE|FROM|RETURNING|;|AS)$/.test(text));
    if (isOver) this.#sets.pop();
    return !isOver && depth === set.depth && this.#cases === set.cases;
  }
}

function phraseAt(tokens: Token[], index: number): Change | null {
  for (const [words, text] of PHRASES) {
    const found = tokens.slice(index, index + words.length);
    if (found.length < words.length || found.some((token, at) => token.text !== words[at])) continue;
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || last === undefined) return null;
    // What says more about the lock would be left without it.
    if (/^(OF|SKIP|NOWAIT)$/.test(tokens[index + words.length]?.text ?? '')) return null;
    return { operator: `sql ${words.join(' ').toLowerCase()}`, start: first.start, end: last.end, text };
  }
  return null;
}

const OPERAND = /^(word|number|string|mark)$/;
/** Words after which an operand begins, so that a sign there is no operation, or `*` is all columns. */
const NO_OPERAND = /^(SELECT|RETURNING|AND|OR|WHERE|THEN|ELSE|WHEN|[([,.])$/;

const OPTION_OF_RAISE = /^(ERRCODE|HINT|MESSAGE|DETAIL)$/;

function operator(token: Token, before: Token | undefined, after: Token | undefined): Change[] {
  const at = { start: token.start, end: token.end };
  if (OPTION_OF_RAISE.test(before?.text ?? '')) return [];
  if (token.text === '=') return [{ operator: 'sql equality', ...at, text: '<>' }];
  if (token.text === '<>' || token.text === '!=') return [{ operator: 'sql equality', ...at, text: '=' }];
  const arithmetic = entryOf(ARITHMETIC, token.text);
  if (arithmetic === undefined)
    return comparisonsOf(token.text).map(([name, text]) => ({ operator: `sql ${name}`, ...at, text }));
  const isOperation =
    before !== undefined &&
    after !== undefined &&
    OPERAND.test(before.kind) &&
    OPERAND.test(after.kind) &&
    !NO_OPERAND.test(before.text) &&
    !/^[),]$|^FROM$/.test(after.text);
  return isOperation ? [{ operator: 'sql arithmetic', ...at, text: arithmetic }] : [];
}

function number(token: Token, before: Token | undefined): Change[] {
  if (before?.text === '::' || token.text.includes('.')) return [];
  return numbersBeside(token.text).map((text) => ({
    operator: 'sql number',
    start: token.start,
    end: token.end,
    text,
  }));
}

const COMPARED = /^(=|<>|!=|WHEN|THEN|ELSE)$/;

function string(token: Token, before: Token | undefined): Change[] {
  const at = { start: token.start, end: token.end };
  const period = /^'(\d+) (second|minute|hour|day)s?'$/.exec(token.text);
  if (period !== null) return [{ operator: 'sql period', ...at, text: `'${Number(period[1]) * 2} ${period[2]}'` }];
  // A text of several words is a sentence for people.
  if (before === undefined || !COMPARED.test(before.text) || /^''$| |^'check_violation'$/.test(token.text)) return [];
  return [{ operator: 'sql string', ...at, text: `''` }];
}

/** Changes of single tokens and phrases. */
function tokenChanges(tokens: Token[]): Change[] {
  const assignments = new Assignments();
  return tokens.flatMap((token, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    const assigns = assignments.see(token);
    const phrase = phraseAt(tokens, index);
    if (phrase !== null) return [phrase];
    if (token.kind === 'operator') return token.text === '=' && assigns ? [] : operator(token, before, after);
    if (token.kind === 'number') return number(token, before);
    if (token.kind === 'string') return string(token, before);
    const text = token.kind === 'word' && before?.text !== '.' ? entryOf(SWAPPED, token.text) : undefined;
    const isWordOnly = /^(MIN|MAX|GREATEST|LEAST)$/.test(token.text) && after?.text !== '(';
    const isDefinition = /^(CREATE|ON|JOIN)$/.test(before?.text ?? '') || after?.text === 'REPLACE';
    if (text === undefined || isWordOnly || isDefinition) return [];
    return [{ operator: token.text === 'OR' ? 'sql logic' : 'sql word', start: token.start, end: token.end, text }];
  });
}

/** Statements of PL/pgSQL that can go without another form of the rest. */
function statements(tokens: Token[]): Change[] {
  return tokens.flatMap((token, index) => {
    const before = tokens[index - 1]?.text ?? '';
    const begins =
      /^(PERFORM|RAISE|DELETE|INSERT|UPDATE)$/.test(token.text) && /^(;|THEN|BEGIN|LOOP|ELSE)$/.test(before);
    const end = begins
      ? tokens.slice(index).find(({ text, depth }) => text === ';' && depth === token.depth)
      : undefined;
    return end === undefined ? [] : [{ operator: 'sql statement', start: token.start, end: end.end, text: 'NULL;' }];
  });
}

const AROUND = 4;

/** All small changes of an SQL text in the order of the text. `shown` stands for it in snippets, at the same positions. */
export function sqlEdits(sql: string, shown = sql): Array<Omit<Edit, 'scope'>> {
  const tokens = tokensOf(sql);
  const changes = [...tokenChanges(tokens), ...conditions(tokens), ...statements(tokens)];
  const isNew = new Set<string>();
  return changes
    .filter(({ start, end, text }) => {
      const key = `${start} ${end} ${text}`;
      return isNew.has(key) ? false : isNew.add(key);
    })
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
    .map((change) => {
      const at = tokens.findIndex(({ end }) => end > change.start);
      const last = tokens.findLastIndex(({ start }) => start < change.end);
      const from = tokens[Math.max(0, at - AROUND)]?.start ?? change.start;
      const to = tokens[Math.min(tokens.length - 1, last + AROUND)]?.end ?? change.end;
      return { ...change, snippet: toSnippet(shown.slice(from, to)) };
    });
}
