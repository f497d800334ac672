/** Links that a project or a profile may have; browser and server use the same functions. */

function httpUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    const plain = (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.password;
    return plain && url.hostname.includes('.') ? url : null;
  } catch {
    return null;
  }
}

/** http(s) link with a host name, no credentials (R26). */
export function isWebLink(text: string): boolean {
  return text.length <= 500 && httpUrl(text) !== null;
}

const X_HOSTS = new Set(['x.com', 'www.x.com', 'mobile.x.com', 'twitter.com', 'www.twitter.com', 'mobile.twitter.com']);
/** Pages of X in the place of an account's name. */
const X_PAGES = new Set([
  'i',
  'home',
  'intent',
  'share',
  'search',
  'explore',
  'hashtag',
  'settings',
  'messages',
  'notifications',
  'compose',
  'login',
  'logout',
  'signup',
  'account',
  'about',
  'tos',
  'privacy',
  'jobs',
  'download',
  'oauth',
  'who_to_follow',
]);

function urlOn(hosts: ReadonlySet<string>, text: string): URL | null {
  const url = httpUrl(text);
  return url && hosts.has(url.hostname) && url.port === '' ? url : null;
}

const segments = (url: URL): string[] => url.pathname.split('/').filter(Boolean);

/** The X handle in a URL (x.com, twitter.com), '@handle' or 'handle'; null when it names no account (R12). */
export function twitterHandle(text: string): string | null {
  const trimmed = text.trim();
  let handle = trimmed;
  if (/^https?:\/\//i.test(trimmed)) {
    const url = urlOn(X_HOSTS, trimmed);
    handle = (url && segments(url)[0]) ?? '';
  }
  const bare = handle.replace(/^@/, '');
  return /^[A-Za-z0-9_]{1,15}$/.test(bare) && !X_PAGES.has(bare.toLowerCase()) ? bare : null;
}

const isHttps = (url: URL | null): url is URL => url?.protocol === 'https:';

export function isTwitterLink(text: string): boolean {
  return isHttps(urlOn(X_HOSTS, text)) && twitterHandle(text) !== null;
}

const TELEGRAM_HOSTS = new Set(['t.me']);
/** Telegram's own actions on t.me, and the words that only introduce a name. */
const TELEGRAM_PAGES = new Set([
  'share',
  'iv',
  'proxy',
  'socks',
  'login',
  'setlanguage',
  'confirmphone',
  'addstickers',
]);
const TELEGRAM_PREFIXES = new Set(['joinchat', 's', 'c']);

export function isTelegramLink(text: string): boolean {
  const url = urlOn(TELEGRAM_HOSTS, text);
  if (!isHttps(url)) return false;
  const [first = '', second = ''] = segments(url);
  const name = TELEGRAM_PREFIXES.has(first.toLowerCase()) ? second : first;
  return /^\+?[\w-]{1,64}$/.test(name) && !TELEGRAM_PAGES.has(name.toLowerCase());
}

const DISCORD_HOSTS = new Set(['discord.gg', 'www.discord.gg', 'discord.com', 'www.discord.com']);

/** https link to a server or a person on discord.gg or discord.com (the field has no input, but the API takes it). */
export function isDiscordLink(text: string): boolean {
  const url = urlOn(DISCORD_HOSTS, text);
  return isHttps(url) && segments(url).length > 0;
}
