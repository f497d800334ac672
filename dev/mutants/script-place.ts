import { childOf, type Node } from './script-tree.ts';

/** A change without its place in words. `near`: what part of the text names the place. */
export interface Change {
  operator: string;
  start: number;
  end: number;
  text: string;
  near: Span;
}

export type Span = Pick<Node, 'start' | 'end'>;

export interface Place {
  source: string;
  node: Node;
  /** From the outermost on. */
  parents: readonly Node[];
  parent: Node | undefined;
}

export const textOf = (source: string, node: Span): string => source.slice(node.start, node.end);

export const replace = (node: Node, operator: string, text: string, near: Span = node): Change => ({
  operator,
  start: node.start,
  end: node.end,
  text,
  near,
});

/** Whether the node decides an if, a loop or a choice. */
export const isCondition = ({ node, parent }: Place): boolean =>
  childOf(parent, 'test') === node && parent?.type !== 'SwitchCase';

/** A call with its own name, without the chain before it. */
export function linkOf(call: Node): Span {
  const property = childOf(childOf(call, 'callee'), 'property');
  return { start: property?.start ?? call.start, end: call.end };
}
