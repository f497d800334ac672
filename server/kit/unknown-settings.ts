import { SETTING_NAMES } from './config.ts';

const OF_OTHERS =
  /^(?:NODE|SANDBOX|UV|SSL|LC)_|^PG[A-Z]+$|^(?:HTTPS?|NO|ALL)_PROXY$|_PATH$|^(?:TZ|LANG|DEBUG|PATH|HOME)$/i;
/** A shorter name may resemble a setting by chance, as HOME does HOST. */
const LEAST_CHARS = 8;
const MOST_EDITS = 2;

function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, char] of one.split('').entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at += 1)
      next.push(Math.min((row[at] ?? 0) + Number(other[at] !== char), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}

function settingLike(name: string): string | null {
  if (name.length < LEAST_CHARS) return null;
  const upper = name.toUpperCase();
  return SETTING_NAMES.find((setting) => editsBetween(upper, setting) <= MOST_EDITS) ?? null;
}

/**
 * Unknown settings, a line each: all in the settings file, and those in the environment that look like a setting. A
 * server ignores them.
 */
export function findUnknownSettings(file: NodeJS.Dict<string>, env: NodeJS.Dict<string>): string[] {
  const names = new Set([...Object.keys(file), ...Object.keys(env)].filter((name) => !SETTING_NAMES.includes(name)));
  return [...names].flatMap((name) => {
    const like = settingLike(name);
    if (like !== null) return [`${name} is not a setting: did you mean ${like}?`];
    return name in file && !OF_OTHERS.test(name) ? [`${name} is not a setting; see .env.example`] : [];
  });
}
