import Bowser from 'bowser';

/** The name of a browser or system fits easily; whatever a header claims beyond that is not read. */
const MAX_CHARS = 400;
const UNKNOWN = 'Unknown browser';
const SHORTER: Record<string, string> = {
  'Microsoft Edge': 'Edge',
  'Chrome OS': 'ChromeOS',
  'Samsung Internet for Android': 'Samsung Internet',
};
/** A browser that the library does not know is called what its header says: only plain short names are shown. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 .+_-]{0,29}$/;

const nameOf = (found: string | undefined): string | null => {
  const name = SHORTER[found ?? ''] ?? found ?? '';
  return NAME.test(name) ? name : null;
};

/** A browser in plain words, from its user agent: 'Chrome on Android', 'Safari on iPhone'; at most 64 characters. */
export function deviceName(userAgent: string | undefined): string {
  const text = userAgent?.slice(0, MAX_CHARS) ?? '';
  if (text === '') return UNKNOWN;
  const { browser, os, platform } = Bowser.parse(text);
  // Every browser begins with 'Mozilla/5.0', which the library returns if it finds nothing better.
  const browserName = browser.name === 'Mozilla' ? null : nameOf(browser.name);
  const systemName = platform.vendor === 'Apple' && platform.model ? nameOf(platform.model) : nameOf(os.name);
  if (systemName) return `${browserName ?? UNKNOWN} on ${systemName}`;
  return browserName ?? UNKNOWN;
}
