import { comparisonsOf, entryOf, numbersBeside } from './edits.ts';
import { type Change, linkOf, type Place, replace } from './script-place.ts';
import { childOf, childrenOf, nameOf, type Node } from './script-tree.ts';

const SWAPPED_METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  shift: 'pop',
  push: 'unshift',
};
/** Links of a chain of calls that narrow or order what comes out. */
const NARROWING =
  /^(where|whereRef|having|orderBy|limit|offset|distinct|distinctOn|forUpdate|forNoKeyUpdate|forShare|skipLocked|noWait|filter|sort|toSorted|reverse|toReversed|trim|trimEnd|trimStart|toLowerCase|toUpperCase|slice|normalize|catch|replace|replaceAll)$/;

export function call({ node }: Place): Change[] {
  const callee = childOf(node, 'callee');
  const [object, property] = [childOf(callee, 'object'), childOf(callee, 'property')];
  if (callee?.type !== 'MemberExpression' || object === undefined || property === undefined) return [];
  const name = nameOf(property) ?? '';
  const swap = entryOf(SWAPPED_METHODS, name);
  const changes = swap === undefined ? [] : [replace(property, 'method', swap, node)];
  if (!NARROWING.test(name)) return changes;
  return [...changes, { operator: 'call', start: object.end, end: node.end, text: '', near: linkOf(node) }];
}

/** Operators that stand as text in a query: `.where('expiresAt', '>', now)`. */
const QUERY_WORDS: Record<string, string> = {
  '=': '!=',
  '!=': '=',
  '<>': '=',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
  asc: 'desc',
  desc: 'asc',
};

function queryWord({ node }: Place, value: string): Change[] {
  const word = entryOf(QUERY_WORDS, value);
  const changes = word === undefined ? comparisonsOf(value) : [['query', word] as const];
  return changes.map(([operator, text]) => replace(node, operator, `'${text}'`));
}

const VALUE_PLACES =
  /^(BinaryExpression|ReturnStatement|ConditionalExpression|ArrayExpression|VariableDeclarator|AssignmentExpression|SwitchCase|LogicalExpression|Property|ArrowFunctionExpression)$/;
export const STATEMENT_OF_SQL = /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\b/;

function stringLiteral(place: Place, value: string): Change[] {
  const { node, parent, parents } = place;
  if (STATEMENT_OF_SQL.test(value) || isListOfColumns(parent, parents.at(-2))) return [];
  if (parent?.type === 'CallExpression' && childrenOf(parent, 'arguments').indexOf(node) > 0)
    return queryWord(place, value).map((change) => ({ ...change, near: linkOf(parent) }));
  if (parent === undefined || !VALUE_PLACES.test(parent.type)) return [];
  // Names of properties, and sentences for people.
  if (childOf(parent, 'key') === node || value.includes(' ')) return [];
  return [replace(node, 'string', value === '' ? `'?'` : `''`, parent)];
}

function regex(node: Node, raw: string): Change[] {
  const changes: Change[] = [];
  if (raw.startsWith('/^')) changes.push(replace(node, 'regex', `/${raw.slice(2)}`));
  const end = raw.lastIndexOf('/');
  if (raw[end - 1] === '$') changes.push(replace(node, 'regex', raw.slice(0, end - 1) + raw.slice(end)));
  return changes.filter(({ text }) => !text.startsWith('//'));
}

export function literal(place: Place): Change[] {
  const { node, parent } = place;
  const raw = String(node['raw']);
  if (typeof node['value'] === 'string') return stringLiteral(place, node['value']);
  if (typeof node['value'] === 'boolean') return [replace(node, 'boolean', String(!node['value']), parent)];
  if (raw.startsWith('/')) return regex(node, raw);
  if (childOf(parent, 'key') === node) return [];
  return numbersBeside(raw).map((text) => replace(node, 'number', text, parent));
}

/** A query without its columns fails at once, which any test of it notices. */
const isListOfColumns = (list: Node | undefined, around: Node | undefined): boolean =>
  list?.type === 'ArrayExpression' &&
  /^(select|returning|columns)$/.test(nameOf(childOf(childOf(around, 'callee'), 'property')) ?? '');

export const array = ({ node, parent }: Place): Change[] =>
  childrenOf(node, 'elements').length > 0 && parent?.type !== 'ArrayExpression' && !isListOfColumns(node, parent)
    ? [replace(node, 'array', '[]')]
    : [];

/** A value less in what an UPDATE sets. */
export function objectInSet({ source, node, parent }: Place): Change[] {
  const properties = childrenOf(node, 'properties');
  if (nameOf(childOf(childOf(parent, 'callee'), 'property')) !== 'set' || properties.length < 2) return [];
  return properties.map((property) => {
    const comma = /^\s*,/.exec(source.slice(property.end));
    return {
      operator: 'property',
      start: property.start,
      end: property.end + (comma?.[0].length ?? 0),
      text: '',
      near: property,
    };
  });
}
