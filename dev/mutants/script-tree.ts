import { parseSync } from 'vite';

/** A node of the syntax tree; positions are indexes of the source text. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

export function childOf(node: Node | undefined, key: string): Node | undefined {
  const child = node?.[key];
  return isNode(child) ? child : undefined;
}

export function childrenOf(node: Node, key: string): Node[] {
  const children = node[key];
  return Array.isArray(children) ? children.filter(isNode) : [];
}

/** Name of an identifier, or text of a string that stands where a name does. */
export function nameOf(node: Node | undefined): string | undefined {
  const name = node?.type === 'Literal' ? node['value'] : node?.['name'];
  return typeof name === 'string' ? name : undefined;
}

/** @throws Error when the text does not parse. */
export function parseScript(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0 || !isNode(program)) throw new Error(`${file} does not parse: ${errors[0]?.message ?? ''}`);
  return program;
}

/** Calls `visit` for a node and all below it, parents first, with its ancestors from the outermost on. Skips types. */
export function walk(
  node: Node,
  visit: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  if (node.type.startsWith('TS') && !EXPRESSIONS_OF_TYPESCRIPT.has(node.type)) return;
  visit(node, parents);
  const below = [...parents, node];
  for (const value of Object.values(node)) {
    if (isNode(value)) walk(value, visit, below);
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) walk(item, visit, below);
  }
}

const EXPRESSIONS_OF_TYPESCRIPT = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
export const isFunction = (node: Node): boolean => FUNCTIONS.has(node.type);

/** Names of the functions, classes and constants around a place, such as 'createVoteEngine.count'; 'module' outside of all. */
export function scopeOf(parents: readonly Node[]): string {
  const names = parents.flatMap((node, index) => {
    if (/^(Function|Class)/.test(node.type)) return nameOf(childOf(node, 'id')) ?? [];
    const value = parents[index + 1];
    if (value === undefined) return [];
    if (node.type === 'VariableDeclarator') return nameOf(childOf(node, 'id')) ?? [];
    const holdsFunction = node.type === 'Property' || node.type === 'MethodDefinition';
    return holdsFunction && isFunction(value) ? (nameOf(childOf(node, 'key')) ?? []) : [];
  });
  return names.length === 0 ? 'module' : names.join('.');
}
