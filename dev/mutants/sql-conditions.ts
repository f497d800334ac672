import type { Edit } from './edits.ts';
import type { Token } from './sql-tokens.ts';

export type Change = Pick<Edit, 'operator' | 'start' | 'end' | 'text'>;

const BEGINS_CONDITION = /^(WHERE|HAVING|WHEN|IF|ELSIF|ON)$/;
const ENDS_CONDITION =
  /^(THEN|GROUP|ORDER|LIMIT|OFFSET|RETURNING|FOR|HAVING|UNION|EXCEPT|INTERSECT|WINDOW|LOOP|WHERE|SET|JOIN|LEFT|CROSS|INNER|DO|ON|;|,)$/;

/** Index of the last token of the term that begins at `from`, and whether the condition is over then. */
function endOfTerm(tokens: Token[], from: number, depth: number): { end: number; next: string | null } {
  let [cases, isBetween] = [0, false];
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined || token.depth < depth) return { end: index, next: null };
    if (token.depth > depth) continue;
    if (token.text === 'CASE') cases += 1;
    const isInCase = cases > 0;
    if (token.text === 'END') cases -= 1;
    if (isInCase) continue;
    if (token.text === 'BETWEEN') isBetween = true;
    else if (token.text === 'AND' && isBetween) isBetween = false;
    else if (token.text === 'AND' || token.text === 'OR') return { end: index, next: token.text };
    else if (ENDS_CONDITION.test(token.text)) return { end: index, next: null };
  }
  return { end: tokens.length, next: null };
}

/** Each term of the condition that begins at `from` gone: as if it always held, or among alternatives never. */
function conditionChanges(tokens: Token[], from: number): Change[] {
  const depth = tokens[from]?.depth ?? 0;
  const changes: Change[] = [];
  let [start, before]: [number, string | null] = [from, null];
  while (start < tokens.length) {
    const { end, next } = endOfTerm(tokens, start, depth);
    const [first, last, joint] = [tokens[start], tokens[end - 1], tokens[end]];
    if (first === undefined || last === undefined || end <= start) break;
    const text = before === 'AND' || next === 'AND' || (before === null && next === null) ? 'true' : 'false';
    const isValue = end === start + 1 && /^(string|number)$/.test(first.kind);
    if (first.text !== 'TRUE' && !isValue)
      changes.push({ operator: 'sql condition', start: first.start, end: last.end, text });
    if (next === 'AND' && joint !== undefined)
      changes.push({ operator: 'sql logic', start: joint.start, end: joint.end, text: 'OR' });
    if (next === null) break;
    [start, before] = [end + 1, next];
  }
  return changes;
}

/** Changes of all conditions of a text: terms gone, and AND where OR was. */
export function conditions(tokens: Token[]): Change[] {
  const isWhole = !/^(SELECT|INSERT|UPDATE|DELETE|WITH|DECLARE|BEGIN)$/.test(tokens[0]?.text ?? '');
  // A fragment that is a condition as a whole.
  const whole = isWhole && endOfTerm(tokens, 0, 0).next !== null ? conditionChanges(tokens, 0) : [];
  return tokens.reduce((changes, token, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    const opens =
      token.text === '(' && /^(AND|OR|NOT|WHERE|WHEN|IF|CHECK)$/.test(before?.text ?? '') && after?.text !== 'SELECT';
    const isClause = BEGINS_CONDITION.test(token.text) && after?.text !== 'CONFLICT' && before?.text !== 'END';
    if (opens || (token.kind === 'word' && isClause)) changes.push(...conditionChanges(tokens, index + 1));
    return changes;
  }, whole);
}
