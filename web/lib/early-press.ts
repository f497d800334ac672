/** Presses before this page's code had come (R87); the script in index.html keeps them. */

export interface EarlyPress {
  act: 'bullish' | 'bearish' | 'skip';
  card: number;
}

declare global {
  interface Window {
    early?: {
      button?: HTMLElement | undefined;
      /** Buttons answer from now on, except in parts whose code has not come. */
      isLive?: boolean;
      /** Controls in which something was typed or chosen. */
      used?: Set<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>;
      press?: (EarlyPress & { path: string }) | undefined;
      take?: () => void;
    };
  }
}

/**
 * Hands over the vote or skip that was pressed early, now and where a swipe that began early ends later. The script keeps no
 * further ones. Presses on another page are dropped.
 */
export function takeEarlyPress(act: (press: EarlyPress) => void): void {
  const { early } = window;
  if (!early) return;
  early.take = () => {
    const { press } = early;
    early.press = undefined;
    delete document.documentElement.dataset.early;
    if (press?.path === location.pathname) act(press);
  };
  early.take();
}

/** Presses the button that was pressed early, or the one with its words where the page was drawn again. */
export function pressEarlyButton(): void {
  const { early } = window;
  if (!early) return;
  early.isLive = true;
  const { button } = early;
  early.button = undefined;
  if (!button) return;
  const wordsOf = (one: HTMLElement) => one.ariaLabel ?? one.textContent;
  const isSame = (one: HTMLElement) => wordsOf(one) === wordsOf(button);
  // React takes over what a press hits at once, but not while it runs an effect, which this is called from.
  setTimeout(() => {
    const found = button.isConnected ? button : [...document.querySelectorAll('button')].find(isSame);
    found?.click();
  });
}
