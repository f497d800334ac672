import { USERNAME_MAX_CHARS, USERNAME_MIN_CHARS } from '../constants.ts';
import { isDiscordLink, isTelegramLink, isTwitterLink } from '../listings/link-rules.ts';

/** Usernames that no user may have. Each is ordinary as a part of another ('sui_fan', 'team_rocket', 'root_beer'). */
const RESERVED = new Set([
  'admin',
  'administrator',
  'moderator',
  'mod',
  'mods',
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
  'mysten',
  'mystenlabs',
  'api',
  'null',
  'undefined',
  'anonymous',
  'everyone',
  'security',
  'owner',
]);
/** Roles that no part of a name may claim: 'Jo_Support', 'SecurityTeam'. */
const OFFICES = new Set(['support', 'staff', 'security', 'helpdesk', 'moderators', 'mods', 'official', 'officials']);

const LETTERS: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };
const spelled = (text: string): string => text.replace(/[013457]/g, (digit) => LETTERS[digit] ?? digit);

/** Whether a word claims a role. 'admiral' and 'badminton' do not: no ordinary word begins or ends with 'admin'. */
function claimsOffice(word: string): boolean {
  if (OFFICES.has(word) || /^admin|admin$|^moderator|moderator$/.test(word)) return true;
  return word.endsWith('official') && word !== 'unofficial';
}

function wordsOf(username: string): string[] {
  const parts = username.split('_');
  const humps = username.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split('_');
  const lower = [...parts, ...humps, parts.join('')].map((part) => part.toLowerCase());
  return [...lower, ...lower.map(spelled), ...lower.flatMap((part) => part.split(/\d+/))];
}

function isReserved(username: string): boolean {
  const whole = username.replaceAll('_', '').toLowerCase();
  if (RESERVED.has(whole) || RESERVED.has(spelled(whole))) return true;
  if (whole.includes('snapswipe') || spelled(whole).includes('snapswipe')) return true;
  return wordsOf(username).some(claimsOffice);
}

/** Reason for refusing a username, or null (R29). */
export function validateUsername(username: string): string | null {
  if (!/^[A-Za-z0-9_]*$/.test(username)) return 'Only letters, digits and _ are allowed';
  if (username.length < USERNAME_MIN_CHARS || username.length > USERNAME_MAX_CHARS) {
    return `Usernames are ${USERNAME_MIN_CHARS} to ${USERNAME_MAX_CHARS} characters long`;
  }
  // Users without a name are shown by a shortened address, so no name may look like one.
  if (/^0x[0-9a-f]{4,}$/i.test(username.replaceAll('_', ''))) return 'A username cannot look like a wallet address';
  return isReserved(username) ? 'This username is reserved' : null;
}

const PROFILE_LINKS = {
  twitterLink: { accepts: isTwitterLink, error: 'Enter a link like https://x.com/yourname' },
  telegramLink: { accepts: isTelegramLink, error: 'Enter a link like https://t.me/yourname' },
  discordLink: { accepts: isDiscordLink, error: 'Enter a link like https://discord.gg/yourserver' },
} as const;
export type ProfileField = 'username' | keyof typeof PROFILE_LINKS;

/**
 * Reason for refusing a field of the profile, or null; empty is fine and clears it (R29). `text` is the output of
 * cleanLine.
 */
export function validateProfileField(field: ProfileField, text: string): string | null {
  if (text === '') return null;
  if (field === 'username') return validateUsername(text);
  const { accepts, error } = PROFILE_LINKS[field];
  return accepts(text) ? null : error;
}
