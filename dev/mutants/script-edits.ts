import { type Edit, entryOf, toSnippet } from './edits.ts';
import {
  ASSIGNMENTS,
  bareReturn,
  binary,
  condition,
  LOGIC,
  removed,
  statement,
  swapped,
  unary,
  update,
} from './script-operators.ts';
import { type Change, type Place, replace, textOf } from './script-place.ts';
import { childOf, childrenOf, nameOf, type Node, parseScript, scopeOf, walk } from './script-tree.ts';
import { array, call, literal, objectInSet, STATEMENT_OF_SQL } from './script-values.ts';
import { sqlEdits } from './sql-edits.ts';

/** Attributes that only say what a part looks like. */
const LOOKS = /^(className|style|look|tone|size|sizes|strokeWidth|rows|variant|icon)$/;
const isLook = (node: Node): boolean => node.type === 'JSXAttribute' && LOOKS.test(nameOf(childOf(node, 'name')) ?? '');

/** A control that does nothing when it is used. */
const handler = ({ node }: Place): Change[] =>
  /^on[A-Z]/.test(nameOf(childOf(node, 'name')) ?? '') ? [replace(node, 'handler', '')] : [];

const OPERATORS: Record<string, (place: Place) => Change[]> = {
  BinaryExpression: binary,
  LogicalExpression: swapped('logic', LOGIC),
  AssignmentExpression: swapped('assignment', ASSIGNMENTS),
  UnaryExpression: unary,
  UpdateExpression: update,
  IfStatement: condition,
  ConditionalExpression: condition,
  WhileStatement: condition,
  ForStatement: condition,
  ExpressionStatement: statement,
  ThrowStatement: removed,
  ContinueStatement: removed,
  ReturnStatement: bareReturn,
  CallExpression: call,
  Literal: literal,
  ArrayExpression: array,
  ObjectExpression: objectInSet,
  JSXAttribute: handler,
};

/** Text of an SQL template or statement with each `${…}` replaced by a name of its length; null for other nodes. */
function sqlText(
  source: string,
  node: Node,
  parent: Node | undefined,
): { text: string; shown: string; start: number } | null {
  const isTagged = parent?.type === 'TaggedTemplateExpression' && nameOf(childOf(parent, 'tag')) === 'sql';
  const start = node.start + 1;
  const shown = source.slice(start, node.end - 1);
  let text = shown;
  if (node.type === 'Literal') return STATEMENT_OF_SQL.test(text) ? { text, shown, start } : null;
  if (node.type !== 'TemplateLiteral' || !(isTagged || STATEMENT_OF_SQL.test(text))) return null;
  for (const expression of childrenOf(node, 'expressions')) {
    const from = source.lastIndexOf('${', expression.start) - start;
    const to = source.indexOf('}', expression.end) + 1 - start;
    text = text.slice(0, from) + 'p'.repeat(to - from) + text.slice(to);
  }
  return { text, shown, start };
}

/** All small changes of a module, in the order of the text. */
export function scriptEdits(file: string, source: string): Edit[] {
  const edits: Edit[] = [];
  walk(parseScript(file, source), (node, parents) => {
    const parent = parents.at(-1);
    if (parents.some((one) => one.type === 'ImportDeclaration' || isLook(one))) return;
    const scope = scopeOf(parents);
    for (const { near, ...change } of entryOf(OPERATORS, node.type)?.({ source, node, parents, parent }) ?? [])
      edits.push({ ...change, snippet: toSnippet(textOf(source, near)), scope });
    const query = sqlText(source, node, parent);
    if (query === null) return;
    for (const edit of sqlEdits(query.text, query.shown))
      edits.push({ ...edit, scope, start: edit.start + query.start, end: edit.end + query.start });
  });
  return edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
}
