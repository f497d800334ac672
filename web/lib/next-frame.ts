/** A hidden tab draws no frames; code that waits for one continues after this time. */
const HIDDEN_FRAME_MS = 100;

/**
 * Resolves in a task of its own once the next frame was drawn. For work that may wait, so that a slow phone does not do all of it
 * between two frames.
 */
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
