import type { Edit } from './edits.ts';
import { sqlEdits } from './sql-edits.ts';
import { type Token, tokensOf } from './sql-tokens.ts';

interface Statement {
  tokens: Token[];
  start: number;
  end: number;
}

/** Statements of a migration; a body of BEGIN ATOMIC … END belongs to its function. */
function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = [];
  let tokens: Token[] = [];
  let isAtomic = false;
  for (const token of tokensOf(sql)) {
    tokens.push(token);
    if (token.text === 'ATOMIC') isAtomic = true;
    const endsBody = !isAtomic || tokens.at(-2)?.text === 'END';
    if (token.text !== ';' || token.depth > 0 || !endsBody) continue;
    statements.push({ tokens, start: tokens[0]?.start ?? 0, end: token.end });
    [tokens, isAtomic] = [[], false];
  }
  return statements;
}

/** The function that a statement makes or drops. */
function functionOf({ tokens }: Statement): string | null {
  const at = tokens.findIndex(({ text }) => text === 'FUNCTION');
  const isMade = /^(CREATE|DROP)$/.test(tokens[0]?.text ?? '') && at > 0 && at <= 3;
  const name = tokens[at + 1]?.text === 'IF' ? tokens[at + 3] : tokens[at + 1];
  return isMade ? (name?.text.toLowerCase() ?? null) : null;
}

/** Where the body of a function begins: after the `$$`, ATOMIC or RETURN of the language sql. */
function bodyOf({ tokens }: Statement): { start: number; end: number } | null {
  const body = tokens.find(({ kind }) => kind === 'body');
  if (body !== undefined) {
    const length = body.text.indexOf('$', 1) + 1;
    return { start: body.start + length, end: body.end - length };
  }
  const from = tokens.find(({ text, depth }) => depth === 0 && (text === 'ATOMIC' || text === 'RETURN'));
  const last = tokens.at(-1);
  return from === undefined || last === undefined ? null : { start: from.end, end: last.start };
}

/** Conditions of tables, indexes, triggers and policies: what stands in the parentheses, or behind WHERE. */
function rulesOf({ tokens }: Statement): Array<{ start: number; end: number }> {
  const kind = tokens.slice(0, 4).map(({ text }) => text);
  if (!/^(CREATE|ALTER)$/.test(kind[0] ?? '') || kind.includes('FUNCTION')) return [];
  return tokens.flatMap((token, index) => {
    const next = tokens[index + 1];
    if (token.text === 'WHERE' && kind.includes('UNIQUE'))
      return { start: token.end, end: tokens.at(-1)?.start ?? token.end };
    if (!/^(CHECK|WHEN|USING)$/.test(token.text) || next?.text !== '(') return [];
    const closing = tokens.slice(index + 2).find(({ text, depth }) => text === ')' && depth === next.depth);
    return closing === undefined ? [] : { start: next.end, end: closing.start };
  });
}

/** What a statement is about, for reports: the function, or 'users' of CREATE TABLE users. */
const nameOf = (statement: Statement): string =>
  functionOf(statement) ??
  statement.tokens
    .find(
      ({ text, kind }) =>
        kind === 'word' && !/^(CREATE|ALTER|UNIQUE|TABLE|INDEX|POLICY|TRIGGER|CONSTRAINT)$/.test(text),
    )
    ?.text.toLowerCase() ??
  'module';

/** A file of db/functions/ replaces its function after all migrations. */
const isFunction = ([name]: [name: string, sql: string]): boolean => name.includes('/functions/');

/**
 * Small changes of the functions, checks, unique indexes, triggers and policies of all migrations and functions, `[name, text]` in
 * their order. A function that a later migration or its own file replaces or drops is left alone: nothing runs it.
 */
export function migrationEdits(migrations: Array<[name: string, sql: string]>): Map<string, Edit[]> {
  const inOrder = [...migrations.filter((one) => !isFunction(one)), ...migrations.filter(isFunction)];
  const statements = inOrder.flatMap(([name, sql]) =>
    statementsOf(sql).map((statement) => ({ name, sql, statement, made: functionOf(statement) })),
  );
  const found = new Map<string, Edit[]>(migrations.map(([name]) => [name, []]));
  statements.forEach(({ name, sql, statement, made }, index) => {
    if (made !== null && statements.slice(index + 1).some((later) => later.made === made)) return;
    const body = made === null || statement.tokens[0]?.text === 'DROP' ? null : bodyOf(statement);
    for (const { start, end } of body === null ? rulesOf(statement) : [body])
      for (const edit of sqlEdits(sql.slice(start, end)))
        found.get(name)?.push({ ...edit, start: edit.start + start, end: edit.end + start, scope: nameOf(statement) });
  });
  return found;
}
