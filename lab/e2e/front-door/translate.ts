/**
 * Translates the page for as long as it is open, as a browser does: each text moves into two <font> elements of which React knows nothing,
 * and so does each later one. Runs in the page, before its first script.
 */
export function translateContinuously(): void {
  const KEPT = 'font, script, style, noscript, svg, textarea, title, [translate="no"], .notranslate';
  const translate = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = root.nodeType === Node.TEXT_NODE ? [root as Text] : [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === '' || !text.parentElement || text.parentElement.closest(KEPT)) continue;
      const outer = document.createElement('font');
      text.replaceWith(outer);
      outer.appendChild(document.createElement('font')).append(text);
    }
  };
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) translate(node);
  });
  addEventListener('DOMContentLoaded', () => {
    translate(document.body);
    observer.observe(document.body, { childList: true, subtree: true });
  });
}
