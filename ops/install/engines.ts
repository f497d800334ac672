import { existsSync } from 'node:fs';

const FIREFOX_PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox'] as const;
export const FIREFOX = FIREFOX_PLACES.find((place) => existsSync(place)) ?? FIREFOX_PLACES[0];
export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
export const VIRTUAL_SCREEN = '/usr/bin/Xvfb';

export const ENGINE_PACKAGES: Record<string, Record<string, string>> = {
  Firefox: { 'firefox-esr': FIREFOX },
  WebKit: { 'webkit2gtk-driver': WEBKIT_DRIVER, xvfb: VIRTUAL_SCREEN },
};
