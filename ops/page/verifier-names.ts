import type { ESTree } from 'vite';

/** Free names in the statements of a bundle, by its syntax tree. */

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Parts of a node, without names of properties. */
const partsOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([field, value]) =>
    (field === 'property' || field === 'key') && node['computed'] !== true
      ? []
      : (Array.isArray(value) ? value : [value]).filter(isNode),
  );

const isFunction = ({ type }: Node): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
const nameOf = (node: unknown): string[] => (isNode(node) && node.type === 'Identifier' ? [String(node['name'])] : []);

/** Names that a pattern binds, default values left out. */
function boundBy(pattern: Node): string[] {
  if (pattern.type === 'AssignmentPattern') return boundBy(pattern['left'] as Node);
  const parts = partsOf(pattern);
  return pattern.type === 'Identifier' ? nameOf(pattern) : parts.flatMap(boundBy);
}

function declaredBy(node: Node): string[] {
  if (node.type === 'VariableDeclarator') return boundBy(node['id'] as Node);
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return nameOf(node['id']);
  return node.type === 'CatchClause' && isNode(node['param']) ? boundBy(node['param']) : [];
}

/** Names that the blocks of a function declare, functions in it left out. */
const declaredWithin = (node: Node): string[] =>
  partsOf(node).flatMap((part) => [...declaredBy(part), ...(isFunction(part) ? [] : declaredWithin(part))]);

/** Names that a node uses and does not declare. */
function freeNames(node: Node): Set<string> {
  if (node.type === 'Identifier') return new Set(nameOf(node));
  const names = partsOf(node).flatMap((part) => [...freeNames(part)]);
  if (!isFunction(node)) return new Set(names);
  const own = new Set([...nameOf(node['id']), ...(node['params'] as Node[]).flatMap(boundBy), ...declaredWithin(node)]);
  return new Set(names.filter((name) => !own.has(name)));
}

/** A function runs later, except in a call; a field of a class is set when an object is made. */
function isLater(node: Node): boolean {
  return isFunction(node) || (node.type === 'PropertyDefinition' && node['static'] !== true);
}
function neededAtOnce(node: Node): string[] {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return [...freeNames(node)];
  if (isLater(node)) return [];
  return node.type === 'Identifier' ? nameOf(node) : partsOf(node).flatMap(neededAtOnce);
}

export interface Statement {
  start: number;
  end: number;
  declares: string[];
  /** Names of other statements that it contains. */
  refersTo: () => Set<string>;
  /** Those of them that it needs as soon as it is reached. */
  needs: () => string[];
}

export const statementsOf = (program: ESTree.Program): Statement[] =>
  (program.body as unknown as Node[]).map((statement) => ({
    start: statement.start,
    end: statement.end,
    declares: statement.type === 'VariableDeclaration' ? declaredWithin(statement) : declaredBy(statement),
    refersTo: () => freeNames(statement),
    needs: () => neededAtOnce(statement),
  }));
