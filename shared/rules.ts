import {
  CATEGORIES,
  DESCRIPTION_MAX_CHARS,
  GREEN_FROM_PERCENT,
  LISTING_MS,
  MIN_WITHDRAWAL_TOKENS,
  REVIEW_MAX_CHARS,
  SUBMIT_CATEGORIES,
  UPDATE_CATEGORIES,
  USERNAME_MAX_CHARS,
  USERNAME_MIN_CHARS,
  YELLOW_FROM_PERCENT,
} from './constants.ts';
import { countChars } from './text.ts';

/** Business rules as pure functions; browser and server ask the same ones. */

/** Share of bullish votes, whole percent, 0 without votes. */
export function bullishPercentage(bullish: number, bearish: number): number {
  const total = bullish + bearish;
  return total === 0 ? 0 : Math.round((bullish * 100) / total);
}

export type Tone = 'green' | 'yellow' | 'red';
/** Colour step of a percentage on the leaderboard (S2.37, S9.9). */
export function percentTone(percent: number): Tone {
  if (percent >= GREEN_FROM_PERCENT) return 'green';
  return percent >= YELLOW_FROM_PERCENT ? 'yellow' : 'red';
}

/** Lower bound of the 95 % Wilson interval of the bullish share, 0..1 (R27). */
export function confidence(bullish: number, bearish: number): number {
  const n = bullish + bearish;
  if (n === 0) return 0;
  const z = 1.959963984540054;
  const p = bullish / n;
  return (p + (z * z) / (2 * n) - z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
}

/** 'Nd Nh remaining' or 'Expired Nd Nh ago', against the server's clock (S4.6, R28). */
export function timeLeft(expiresAtMs: number, nowMs: number): string {
  const hours = Math.floor(Math.abs(expiresAtMs - nowMs) / 3_600_000);
  const text = `${Math.floor(hours / 24)}d ${hours % 24}h`;
  return expiresAtMs > nowMs ? `${text} remaining` : `Expired ${text} ago`;
}

/** Renewal adds 31 days to what is left, or to now (R19). Milliseconds since the epoch. */
export function renewedUntil(expiresAtMs: number, nowMs: number): number {
  return Math.max(nowMs, expiresAtMs) + LISTING_MS;
}

export interface Fault {
  title: string;
  message: string;
}

/** Why a withdrawal of `amount` tokens is refused, or null (S5.5, R14). */
export function withdrawalFault(amount: number, balance: number): Fault | null {
  if (!Number.isSafeInteger(amount) || amount < MIN_WITHDRAWAL_TOKENS) {
    return { title: 'Invalid amount', message: `Minimum withdrawal is ${MIN_WITHDRAWAL_TOKENS} tokens` };
  }
  if (amount > balance) return { title: 'Insufficient balance', message: `You only have ${balance} tokens` };
  return null;
}

/** Why a review text is refused, or null (S5.6). */
export function reviewFault(content: string): Fault | null {
  if (content.trim() === '')
    return { title: 'Review cannot be empty', message: 'Please write something before submitting' };
  if (countChars(content) > REVIEW_MAX_CHARS) {
    return { title: 'Review too long', message: `Maximum ${REVIEW_MAX_CHARS} characters allowed` };
  }
  return null;
}

export function isDescriptionTooLong(description: string): boolean {
  return countChars(description) > DESCRIPTION_MAX_CHARS;
}

const RESERVED_USERNAMES = new Set([
  'admin',
  'administrator',
  'moderator',
  'mod',
  'root',
  'system',
  'support',
  'help',
  'staff',
  'team',
  'official',
  'snapswipe',
  'snaps',
  'sui',
  'api',
  'null',
  'undefined',
  'anonymous',
  'everyone',
  'security',
]);
/** Why a username is refused, or null (R29). */
export function usernameFault(username: string): string | null {
  if (!/^[A-Za-z0-9_]*$/.test(username)) return 'Only letters, digits and _ are allowed';
  if (username.length < USERNAME_MIN_CHARS || username.length > USERNAME_MAX_CHARS) {
    return `Username must have ${USERNAME_MIN_CHARS} to ${USERNAME_MAX_CHARS} characters`;
  }
  return RESERVED_USERNAMES.has(username.toLowerCase()) ? 'This username is reserved' : null;
}

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
const TELEGRAM_HOSTS = new Set(['t.me', 'www.t.me', 'telegram.me']);

/** The X handle in a URL (x.com, twitter.com), '@handle' or 'handle'; null when there is none (R12). */
export function twitterHandle(text: string): string | null {
  const trimmed = text.trim();
  const url = /^https?:\/\//i.test(trimmed) ? httpUrl(trimmed) : null;
  if (/^https?:\/\//i.test(trimmed) && (!url || !X_HOSTS.has(url.hostname))) return null;
  const handle = url ? (url.pathname.split('/')[1] ?? '') : trimmed;
  const bare = handle.replace(/^@/, '');
  return /^[A-Za-z0-9_]{1,15}$/.test(bare) ? bare : null;
}

/** https link to x.com or twitter.com (R29). */
export function isTwitterLink(text: string): boolean {
  const url = httpUrl(text);
  return url?.protocol === 'https:' && X_HOSTS.has(url.hostname);
}

/** https link to t.me (R29). */
export function isTelegramLink(text: string): boolean {
  const url = httpUrl(text);
  return url?.protocol === 'https:' && TELEGRAM_HOSTS.has(url.hostname);
}

/** https link to discord.gg or discord.com (the field has no input, but the API takes it). */
export function isDiscordLink(text: string): boolean {
  const url = httpUrl(text);
  return url?.protocol === 'https:' && /^(www\.)?(discord\.gg|discord\.com)$/.test(url.hostname);
}

const PROFILE_LINKS = {
  twitterLink: { accepts: isTwitterLink, fault: 'Use a link that starts with https://x.com/ or https://twitter.com/' },
  telegramLink: { accepts: isTelegramLink, fault: 'Use a link that starts with https://t.me/' },
  discordLink: {
    accepts: isDiscordLink,
    fault: 'Use a link that starts with https://discord.gg/ or https://discord.com/',
  },
} as const;
export type ProfileField = 'username' | keyof typeof PROFILE_LINKS;

/** Why a field of the profile is refused, or null; empty is fine and clears it (R29). `text` as cleanLine leaves it. */
export function profileFault(field: ProfileField, text: string): string | null {
  if (text === '') return null;
  if (field === 'username') return usernameFault(text);
  const { accepts, fault } = PROFILE_LINKS[field];
  return accepts(text) ? null : fault;
}

/** What the Update dialog offers: its own list and the project's present category (R24). */
export function updateCategories(present: string): string[] {
  const offered: readonly string[] = UPDATE_CATEGORIES;
  return offered.includes(present) ? [...offered] : [...offered, present];
}

export const submitCategories: readonly string[] = SUBMIT_CATEGORIES;
export const isCategory = (text: string): boolean => (CATEGORIES as readonly string[]).includes(text);

/** Words that a slug may not be: our own routes and numbers, which are ids (R23). */
const ROUTE_WORDS = new Set([
  'subscription',
  'submit-project',
  'profile',
  'portfolio',
  'projects',
  'leaderboard',
  'admin',
  'api',
  'images',
  'assets',
  'supply',
  'wallet',
  'update',
  'renew',
  'reviews',
  'all',
  'new',
  'healthz',
  'readyz',
  'og',
  'sitemap',
  'robots',
]);
export function isReservedSlug(slug: string): boolean {
  return slug === '' || /^\d+$/.test(slug) || ROUTE_WORDS.has(slug);
}

/** Streak as shown: consecutive UTC days up to today or yesterday, else 0 (R9). Days are counted from the epoch. */
export function currentStreak(streak: number, lastVoteDay: number, today: number): number {
  return lastVoteDay >= today - 1 ? streak : 0;
}
