import { DESCRIPTION_MAX_CHARS, PROJECT_NAME_MAX_CHARS } from './constants.ts';
import { isWebLink, twitterHandle } from './link-rules.ts';
import { isCategory, isDescriptionTooLong } from './rules.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { countChars } from './text.ts';

/** The texts of a project. Browser and server check each by the same rule and show the same sentence (S5.3, S5.4). */
export const PROJECT_TEXT_FIELDS = ['name', 'category', 'description', 'twitterHandle', 'website'] as const;
export type ProjectTextField = (typeof PROJECT_TEXT_FIELDS)[number];

/** Text of a field as it is stored. */
export function cleanProjectText(field: ProjectTextField, text: string): string {
  return field === 'description' ? cleanText(text) : cleanLine(text);
}

const RULES: Record<ProjectTextField, (text: string) => string | null> = {
  name: (text) => {
    if (text === '') return 'Enter a project name';
    const tooLong = countChars(text) > PROJECT_NAME_MAX_CHARS;
    return tooLong ? `The name can be at most ${PROJECT_NAME_MAX_CHARS} characters long` : null;
  },
  category: (text) => {
    if (text === '') return 'Choose a category';
    return isCategory(text) ? null : 'Choose a category';
  },
  description: (text) => {
    if (text === '') return 'Enter a description';
    const tooLong = isDescriptionTooLong(text);
    return tooLong ? `The description can be at most ${DESCRIPTION_MAX_CHARS} characters long` : null;
  },
  twitterHandle: (text) => {
    if (text === '') return 'Enter a link to the X account';
    return twitterHandle(text) === null ? 'Enter a link like https://x.com/yourproject' : null;
  },
  // The only optional text.
  website: (text) => (text === '' || isWebLink(text) ? null : 'Enter a link that starts with https://'),
};

/** Reason for refusing a field, or null. `text` is the output of cleanProjectText. */
export function validateProjectField(field: ProjectTextField, text: string): string | null {
  return RULES[field](text);
}
