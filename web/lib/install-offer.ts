import { createStore } from './external-store.ts';

/** Chromium's own event; it is sent once, soon after the load, and asks only within a press. */
export interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

/** The browser's offer to install the page as an app; null where it makes none, or it was used. */
export const installOffer = createStore<InstallOffer | null>(null);

/** Keeps the offer for the place where an app is of use, instead of the browser's bar over the deck. */
export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installOffer.set(event as InstallOffer);
  });
  addEventListener('appinstalled', () => installOffer.set(null));
}
