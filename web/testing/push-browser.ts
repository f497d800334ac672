import { vi } from 'vitest';

interface MadeSubscription {
  endpoint: string;
  options: object;
  toJSON: () => object;
  unsubscribe: () => Promise<boolean>;
}

export const MADE_SUBSCRIPTION = { endpoint: 'https://push.example/x', keys: { p256dh: 'key', auth: 'secret' } };

/** A browser that can push, as far as the page uses it; call `removePushBrowser` afterwards. */
export function makePushBrowser() {
  const made: MadeSubscription = {
    endpoint: MADE_SUBSCRIPTION.endpoint,
    toJSON: () => MADE_SUBSCRIPTION,
    options: { applicationServerKey: Uint8Array.from([4, 0, 0]).buffer },
    unsubscribe: async () => {
      browser.present = null;
      return true;
    },
  };
  const browser = {
    permission: 'granted' as NotificationPermission,
    /** The subscription that the browser has. */
    present: null as MadeSubscription | null,
    /** The one that it makes. */
    made,
  };
  const registration = {
    pushManager: {
      subscribe: async () => (browser.present = made),
      getSubscription: async () => browser.present,
    },
  };
  const serviceWorker = { getRegistration: async () => registration, ready: Promise.resolve(registration) };
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  vi.stubGlobal('PushManager', () => undefined);
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    requestPermission: async () => browser.permission,
  });
  return browser;
}

export const removePushBrowser = (): boolean => Reflect.deleteProperty(navigator, 'serviceWorker');
