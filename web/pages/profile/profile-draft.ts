import type { User } from '#shared/contract/types.ts';
import type { ProfileChanges } from '#shared/contract/users.ts';
import { validateProfileField } from '#shared/people/profile-rules.ts';
import { cleanLine } from '#shared/text/clean-text.ts';

export interface ProfileDraft {
  username: string;
  twitterLink: string;
  telegramLink: string;
  avatarUrl: string | null;
}

export const TEXT_FIELDS = ['username', 'twitterLink', 'telegramLink'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];
export type FieldErrors = Partial<Record<TextField | 'avatarUrl', string>>;

export function toDraft(user: User): ProfileDraft {
  return {
    username: user.username ?? '',
    twitterLink: user.twitterLink ?? '',
    telegramLink: user.telegramLink ?? '',
    avatarUrl: user.avatarUrl,
  };
}

export function draftErrors(draft: ProfileDraft, user: User): FieldErrors {
  const errors: FieldErrors = {};
  const stored = toDraft(user);
  for (const field of TEXT_FIELDS) {
    const text = cleanLine(draft[field]);
    // Values that were accepted under earlier rules stay until they are changed.
    const error = text === stored[field] ? null : validateProfileField(field, text);
    if (error) errors[field] = error;
  }
  return errors;
}

export function draftChanges(draft: ProfileDraft, user: User): ProfileChanges {
  const stored = toDraft(user);
  const changes: ProfileChanges = {};
  for (const field of TEXT_FIELDS) {
    const text = cleanLine(draft[field]);
    if (text !== stored[field]) changes[field] = text === '' ? null : text;
  }
  if (draft.avatarUrl !== stored.avatarUrl) changes.avatarUrl = draft.avatarUrl;
  return changes;
}
