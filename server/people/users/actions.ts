import { isUniqueViolation } from '#db/unique-violation.ts';
import type { User } from '#shared/contract/types.ts';
import type { ProfileChanges } from '#shared/contract/users.ts';
import { type ProfileField, validateProfileField } from '#shared/people/profile-rules.ts';
import { cleanLine } from '#shared/text/clean-text.ts';
import { HttpError, invalidField } from '#server/kit/http/errors.ts';
import { acceptImage } from '#server/listings/images/intake.ts';
import type { Services } from '#server/kit/services.ts';
import { findUser, updateProfile, type ProfileColumns } from './queries.ts';

const LINK_NAMES = ['twitterLink', 'telegramLink', 'discordLink'] as const;

function readField(field: ProfileField, sent: string | null): string | null {
  const text = cleanLine(sent ?? '');
  const message = validateProfileField(field, text);
  if (message) throw invalidField(field, message);
  if (text === '') return null;
  // A link as the URL parser writes it: nothing in it can end an attribute or hide a space.
  return field === 'username' ? text : new URL(text).href;
}

const isTaken = (error: unknown) => isUniqueViolation(error, 'users_username_key');

/** All fields or none; null or empty clears (R29, S7.9). @throws HttpError with `field`: 400, 409 taken, 413 or 415 */
export async function changeProfile({ db }: Services, userId: number, sent: ProfileChanges): Promise<User> {
  const present = await findUser(db, userId);
  const columns: ProfileColumns = {};
  if (sent.username !== undefined) columns.username = readField('username', sent.username);
  for (const name of LINK_NAMES) {
    const link = sent[name];
    if (link !== undefined) columns[name] = readField(name, link);
  }
  if (sent.avatarUrl !== undefined && sent.avatarUrl !== present.avatarUrl) {
    columns.avatarHash = sent.avatarUrl
      ? (await acceptImage(db, sent.avatarUrl, { userId, square: true, field: 'avatarUrl' })).hash
      : null;
  }
  if (Object.keys(columns).length === 0) return present;
  try {
    await updateProfile(db, userId, columns);
  } catch (error) {
    // The index decides, so that two simultaneous requests for one name cannot both get it.
    if (!isTaken(error)) throw error;
    throw new HttpError(409, 'username_taken', 'This username is already taken', { extra: { field: 'username' } });
  }
  return findUser(db, userId);
}
