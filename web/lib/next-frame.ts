const HIDDEN_FRAME_MS = 100;

/** Resolves after the next frame was drawn, in a task of its own. */
export function nextFrame(): Promise<void> {
  // Outside of a browser nothing is drawn.
  if (typeof requestAnimationFrame === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(resolve, HIDDEN_FRAME_MS);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(resolve);
    });
  });
}
