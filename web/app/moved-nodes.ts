function holderIn(parent: Node, node: Node): ChildNode | null {
  let at: Node | null = node;
  while (at !== null && at.parentNode !== parent) at = at.parentNode;
  return at as ChildNode | null;
}

/** Translation wraps texts in elements. React throws when it removes a text from its former parent, so remove the wrapper (R81). */
export function tolerateMovedNodes(prototype: Node = Node.prototype): void {
  const { removeChild, insertBefore } = prototype;
  prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const holder = holderIn(this, child);
    if (holder !== null) removeChild.call(this, holder);
    return child;
  };
  prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    insertBefore.call(this, node, next && holderIn(this, next));
    return node;
  };
}
