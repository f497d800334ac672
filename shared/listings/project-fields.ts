import { cleanLine, cleanText } from '../text/clean-text.ts';
import { COIN_TYPE_MAX_CHARS, coinType, packageId } from './coin-type.ts';
import { DESCRIPTION_MAX_CHARS, PROJECT_NAME_MAX_CHARS } from '../constants.ts';
import { isWebLink, twitterHandle } from './link-rules.ts';
import { isCategory } from '../rules.ts';
import { countChars } from '../text/text.ts';

export interface ProjectFieldSpec {
  label: string;
  /** Start of an error message about the field. */
  subject: string;
  control: 'line' | 'category' | 'text' | 'link' | 'type' | 'picture';
  placeholder?: string;
  missing?: string;
  maxChars?: number;
  /** The text as it is stored, or null if `error` applies. */
  format?: { read: (text: string) => string | null; error: string };
  /** True if another value makes it look like another project. */
  isIdentity?: true;
}

/** The fields of a project, in the order of its form. Schemas, checks, form, columns and the archive of own data come from this table. */
export const PROJECT_FIELDS = {
  name: {
    label: 'Project Name',
    subject: 'The name',
    control: 'line',
    missing: 'Enter a project name',
    maxChars: PROJECT_NAME_MAX_CHARS,
    isIdentity: true,
  },
  category: {
    label: 'Category',
    subject: 'The category',
    control: 'category',
    missing: 'Choose a category',
    format: { read: (text) => (isCategory(text) ? text : null), error: 'Choose a category' },
  },
  description: {
    label: 'Description',
    subject: 'The description',
    control: 'text',
    missing: 'Enter a description',
    maxChars: DESCRIPTION_MAX_CHARS,
  },
  imageUrl: {
    label: 'Project Image',
    subject: 'The image',
    control: 'picture',
    missing: 'Please upload a project image',
    isIdentity: true,
  },
  twitterHandle: {
    label: 'X Account Link',
    subject: 'The X account link',
    control: 'link',
    placeholder: 'https://x.com/yourproject',
    missing: 'Enter a link to the X account',
    format: { read: twitterHandle, error: 'Enter a link like https://x.com/yourproject' },
    isIdentity: true,
  },
  website: {
    label: 'Launchpad or Tradeport Link (optional)',
    subject: 'The launchpad link',
    control: 'link',
    placeholder: 'https://',
    format: { read: (text) => (isWebLink(text) ? text : null), error: 'Enter a link that starts with https://' },
    isIdentity: true,
  },
  coinType: {
    label: 'Coin Type (optional)',
    subject: 'The coin type',
    control: 'type',
    placeholder: '0x…::coin::COIN',
    maxChars: COIN_TYPE_MAX_CHARS,
    format: { read: coinType, error: 'Enter a coin type like 0x2::sui::SUI' },
  },
  packageId: {
    label: 'Package (optional)',
    subject: 'The package',
    control: 'type',
    placeholder: '0x…',
    format: { read: packageId, error: 'Enter the address of a package, such as 0x2' },
  },
} as const satisfies Record<string, ProjectFieldSpec>;

export type ProjectField = keyof typeof PROJECT_FIELDS;
export type ProjectTextField = Exclude<ProjectField, 'imageUrl'>;
export type ByNeed<Required, Optional> = {
  [F in ProjectField]: (typeof PROJECT_FIELDS)[F] extends { missing: string } ? Required : Optional;
};
export type ProjectTexts = Omit<ByNeed<string, string | null>, 'imageUrl'>;

export const projectFields = Object.keys(PROJECT_FIELDS) as ProjectField[];
export const projectTextFields = projectFields.filter((field) => field !== 'imageUrl');
export const isIdentityField = (field: ProjectField): boolean => 'isIdentity' in PROJECT_FIELDS[field];

/** Reads these texts; null for an optional one that is empty. */
export function projectTexts<F extends ProjectTextField>(fields: readonly F[], textOf: (field: F) => string) {
  const entries = fields.map((field) => [field, textOf(field) || ('missing' in PROJECT_FIELDS[field] ? '' : null)]);
  return Object.fromEntries(entries) as Pick<ProjectTexts, F>;
}

function errorOf({ subject, missing, maxChars, format }: ProjectFieldSpec, text: string): string | null {
  if (text === '') return missing ?? null;
  if (maxChars !== undefined && countChars(text) > maxChars)
    return `${subject} can be at most ${maxChars} characters long`;
  return format?.read(text) === null ? format.error : null;
}

/** A text as it is sent and as it is stored, and the error where it is refused: the same for browser and server (S5.3, S5.4). */
export function readProjectText(field: ProjectTextField, typed: string) {
  const spec: ProjectFieldSpec = PROJECT_FIELDS[field];
  const text = spec.control === 'text' ? cleanText(typed) : cleanLine(typed);
  return { text, stored: spec.format?.read(text) ?? text, error: errorOf(spec, text) };
}
