import { comparisonsOf, entryOf } from './edits.ts';
import { type Change, isCondition, type Place, replace, textOf } from './script-place.ts';
import { childOf, isFunction, nameOf, type Node } from './script-tree.ts';

/** Replaces the operator between two operands. */
function operators({ source, node }: Place, changes: Array<[operator: string, text: string]>): Change[] {
  const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
  if (left === undefined || right === undefined) return [];
  const start = source.indexOf(String(node['operator']), left.end);
  const end = start + String(node['operator']).length;
  return changes.map(([operator, text]) => ({ operator, start, end, text, near: node }));
}

const EQUALITIES: Record<string, string> = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const ARITHMETIC: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '**': '*' };
export const LOGIC: Record<string, string> = { '&&': '||', '||': '&&', '??': '&&' };
export const ASSIGNMENTS: Record<string, string> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '??=': '=',
  '||=': '=',
  '&&=': '=',
};

const isText = (node: Node | undefined): boolean =>
  node?.type === 'TemplateLiteral' ||
  (node?.type === 'Literal' && typeof node['value'] === 'string') ||
  (node?.type === 'BinaryExpression' && (isText(childOf(node, 'left')) || isText(childOf(node, 'right'))));

export function binary(place: Place): Change[] {
  const operator = String(place.node['operator']);
  const equality = entryOf(EQUALITIES, operator);
  // The condition itself is replaced by true and by false as well.
  if (equality !== undefined) return isCondition(place) ? [] : operators(place, [['equality', equality]]);
  const arithmetic = entryOf(ARITHMETIC, operator);
  if (arithmetic !== undefined) return isText(place.node) ? [] : operators(place, [['arithmetic', arithmetic]]);
  return operators(place, comparisonsOf(operator));
}

export const swapped =
  (operator: string, table: Record<string, string>) =>
  (place: Place): Change[] => {
    const text = entryOf(table, String(place.node['operator']));
    return text === undefined ? [] : operators(place, [[operator, text]]);
  };

export function unary(place: Place): Change[] {
  const { node, source } = place;
  const argument = childOf(node, 'argument');
  if (argument === undefined || isCondition(place)) return [];
  if (node['operator'] === '!') return [replace(node, 'negation', textOf(source, argument))];
  const isNumber = node['operator'] === '-' && argument.type !== 'Literal';
  return isNumber ? [replace(node, 'arithmetic', textOf(source, argument))] : [];
}

export function update({ node }: Place): Change[] {
  const operator = String(node['operator']);
  const start = node['prefix'] === true ? node.start : node.end - 2;
  return [{ operator: 'arithmetic', start, end: start + 2, text: operator === '++' ? '--' : '++', near: node }];
}

/** The branch always and never taken; a loop only never. */
export function condition({ node }: Place): Change[] {
  const test = childOf(node, 'test');
  if (test === undefined || nameOf(test) === 'undefined' || typeof test['value'] === 'boolean') return [];
  const never = replace(test, 'condition false', 'false', node);
  const isLoop = /^(While|For|DoWhile)/.test(node.type);
  return isLoop ? [never] : [replace(test, 'condition true', 'true', node), never];
}

/** Calls that only speak to the log are left alone: log lines are not promised. */
const LOGS = /^(console|(\w+\.)*log)\.|^(log|onError)\??\.?\(/;

export function statement({ source, node, parents }: Place): Change[] {
  const expression = childOf(node, 'expression');
  if (expression === undefined || !parents.some(isFunction)) return [];
  const inner = /^(Await|Unary)Expression$/.test(expression.type) ? childOf(expression, 'argument') : expression;
  if (inner === undefined || !/^(Call|Assignment|Chain)Expression$/.test(inner.type)) return [];
  if (LOGS.test(textOf(source, inner)) || textOf(source, inner).startsWith('super(')) return [];
  const removed = replace(node, 'statement', ';');
  if (expression.type !== 'AwaitExpression') return [removed];
  return [removed, replace(expression, 'await', textOf(source, inner), node)];
}

export const removed = ({ node, parents }: Place): Change[] =>
  parents.some(isFunction) ? [replace(node, 'statement', ';')] : [];

export const bareReturn = (place: Place): Change[] =>
  childOf(place.node, 'argument') === undefined && place.parents.some(isFunction) ? removed(place) : [];
