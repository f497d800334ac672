import { nextFrame } from './next-frame.ts';

/** A busy page is not idle for long: what waits is drawn then. */
const LATEST_MS = 1_000;
/** Safari has no idle callbacks. */
const PAUSE_MS = 100;

/** Resolves after the next frame, once the browser has nothing else to do. */
export async function nextIdle(): Promise<void> {
  await nextFrame();
  await new Promise<void>((resolve) => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(resolve, PAUSE_MS);
    else requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
  });
}
