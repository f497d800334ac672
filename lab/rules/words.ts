import { proseOf, type Prose } from './prose.ts';
import { read, sources } from './sources.ts';
import { findUnits } from './unit-word.ts';

/** A word that this project does not use, with an example, and its replacement (docs/use/glossary.md). */
export interface Rule {
  not: RegExp;
  example: string;
  but: string;
}

export const RULES: readonly Rule[] = [
  { not: /\bwhoever\b/i, example: 'whoever', but: 'a user, a request, a process' },
  { not: /\bsomebody\b/i, example: 'somebody', but: 'a user, another process' },
  { not: /\b(?:he|his|him|himself)\b/i, example: 'his', but: "they, the user's" },
  { not: /\bbut for\b/i, example: 'but for', but: 'except' },
  { not: /\bany more\b/i, example: 'any more', but: 'no longer' },
  { not: /\ball the same\b/i, example: 'all the same', but: 'still' },
  { not: /\bis there\b/i, example: 'is there', but: 'exists' },
  { not: /\banew\b/i, example: 'anew', but: 'again' },
  { not: /\bfor ever\b/i, example: 'for ever', but: 'permanently' },
];

/** A pattern of a sentence, in prose of the kinds that are given, or in all of it. */
interface SentenceRule extends Rule {
  in?: ReadonlyArray<Prose['kind']>;
}

export const SENTENCES: readonly SentenceRule[] = [
  {
    not: /^(?:What|Of|As)\b(?![^.]*\?)/,
    example: 'What it costs.',
    but: 'the subject first',
    in: ['comment'],
  },
  // Without a period it is a heading.
  {
    not: /^(?:What|Of|As)\b(?=.*\.)/,
    example: 'What it costs.',
    but: 'the subject before the rest',
    in: ['document', 'text'],
  },
  { not: /^(?:what|who|which|that|of|as)\b/i, example: 'who is away', but: 'a whole sentence', in: ['title'] },
  { not: /\b(?:the|an?) own\b/i, example: 'the own vote', but: 'your, their, its own' },
  {
    not: /(?<!there )\b(?:is|are|was|were|be) (?:no(?! (?:longer|more)\b)|none)\b/i,
    example: 'this is no link',
    but: 'is not a, without, not any',
  },
  {
    not: /\b(?:stands?|stood)\b(?!-| (?:for|in for|up|out)\b)|\b(?:lies|lay|rests)\b|\blie (?:in|on|at|beside|between)\b/i,
    example: 'the row stands there',
    but: 'is, comes, is stored',
  },
  { not: /\b(?:says?|said) so\b/i, example: 'it says so', but: 'the fact itself' },
  { not: /\b(?:is|are|was|were|be|been|being) told\b/i, example: 'it is told', but: 'is notified, is reported' },
  { not: /\b(?:goes|go|going|went) on\b/i, example: 'it goes on', but: 'continues' },
  { not: /\bunder way\b/i, example: 'under way', but: 'running, pending, open' },
  { not: /\bon (?:its|their|the) way\b/i, example: 'on its way', but: 'pending, in flight' },
  { not: /\bby (?:itself|themselves)\b/i, example: 'by itself', but: 'automatically, alone' },
  { not: /\bmeanwhile\b/i, example: 'meanwhile', but: 'while, during' },
  { not: /\b(?:nobody|anybody|everybody)\b/i, example: 'nobody', but: 'no user, anyone, all clients' },
];

/** Files that are never edited, so their prose need not follow SENTENCES. */
const NEVER_EDITED = /^db\/migrations\//;

const ALLOWED: Array<{ files: RegExp; reason: string }> = [
  { files: /^lab\/rules\/words(?:\.test)?\.ts$/, reason: 'the list itself' },
  { files: /^lab\/demo\/(?:projects|talk)\.json$/, reason: 'texts of made-up projects and users' },
];

const joined = (text: string): string => text.replaceAll(/\s*\n\s*(?:\/\/|--|\*|>|#)?\s*/g, ' ');

const isAllowed = (file: string): boolean => ALLOWED.some(({ files }) => files.test(file));

/** The words of a text that its rules do not allow, each with its replacement. */
export function offencesIn(file: string, text: string): string[] {
  if (isAllowed(file)) return [];
  return RULES.flatMap(({ not, but }) =>
    [...joined(text).matchAll(new RegExp(not, `g${not.flags}`))].map(([found]) => `${file}: "${found}", say ${but}`),
  );
}

export function sentenceOffences(file: string, prose: readonly Prose[]): string[] {
  if (isAllowed(file)) return [];
  return prose.flatMap(({ kind, text }) =>
    SENTENCES.filter((rule) => rule.in?.includes(kind) ?? true).flatMap(({ not, but }) => {
      const [found] = not.exec(text.replaceAll(/`[^`]*`/g, '…').replaceAll(/\s+/g, ' ')) ?? [];
      return found === undefined ? [] : [`${file}: "${found}" in the ${kind} "${text}", say ${but}`];
    }),
  );
}

export async function findWords(): Promise<string[]> {
  const files = await sources();
  const words = files.flatMap((file) => offencesIn(file, read(file)));
  const clean = files.filter((file) => !NEVER_EDITED.test(file));
  const sentences = clean.flatMap((file) => sentenceOffences(file, proseOf(file, read(file))));
  return [...words, ...sentences, ...(await findUnits())];
}
