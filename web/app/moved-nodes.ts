/** The child of `parent` that holds `node`, or is it; null where `parent` does not hold it. */
function holderIn(parent: Node, node: Node): ChildNode | null {
  let at: Node | null = node;
  while (at !== null && at.parentNode !== parent) at = at.parentNode;
  return at as ChildNode | null;
}

/**
 * A browser that translates a page wraps its texts in elements of its own, and some extensions move nodes. React then takes a node from a
 * parent that no longer holds it, which throws and takes the page down (R81). Here the wrapper goes with what it wraps.
 */
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
