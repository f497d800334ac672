import { z } from 'zod';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { REASON_MAX_CHARS, REVIEW_MAX_CHARS, USERNAME_MAX_CHARS } from '#shared/constants.ts';
import { plural } from '#shared/numbers/plural.ts';
import { PROJECT_FIELDS, type ProjectFieldSpec } from '#shared/listings/project-fields.ts';
import { badRequest } from './errors.ts';

const PROJECT = Object.entries<ProjectFieldSpec>(PROJECT_FIELDS);

/** Subjects of sentences about fields whose names are not words; other names are taken apart: 'projectId' → 'The project id'. */
const SUBJECTS: Record<string, string> = {
  ...Object.fromEntries(PROJECT.map(([name, { subject }]) => [name, subject])),
  submittedBy: 'The wallet address',
  address: 'The wallet address',
  twitterLink: 'The X link',
  discordLink: 'The Discord link',
  telegramLink: 'The Telegram link',
  avatarUrl: 'The avatar',
  content: 'The review',
  bytes: 'The transaction',
  sqlQuery: 'The SQL query',
  q: 'The search text',
  key: 'The setting',
  configKey: 'The setting',
  configValue: 'The value of the setting',
  withdrawalIds: 'The list of withdrawals',
  ids: 'The list of transfers',
  kinds: 'The list of kinds',
  reasons: 'The list of reasons',
  rows: 'The list of projects',
  act: 'The decision',
  as: 'The explanation',
  aside: 'The choice to exclude the vote',
  dryRun: 'The choice of a dry run',
  follows: 'The choice to follow',
  hasCompared: 'The choice to confirm what was compared',
  hidden: 'The choice to hide',
  isConfirmed: 'The choice to confirm the claim',
  isRefunded: 'The choice to refund the fee',
  isSentence: 'The choice of a sentence',
  keepCurrent: 'The choice to stay signed in here',
  removeReviews: 'The choice to remove reviews',
  replaces: 'The transaction to replace',
  tokensEarned: 'The reward',
  upTo: 'The newest notice',
  decimals: 'The number of decimals',
  keys: 'The pair of keys',
  votes: 'The choice to be notified',
  endpoint: 'The address for push messages',
  amountMist: 'The amount',
  nonce: 'The challenge',
  p256dh: 'The key of the browser',
  auth: 'The secret of the browser',
};

const MAX_CHARS: Record<string, number | undefined> = {
  ...Object.fromEntries(PROJECT.map(([name, { maxChars }]) => [name, maxChars])),
  content: REVIEW_MAX_CHARS,
  reason: REASON_MAX_CHARS,
  note: REASON_MAX_CHARS,
  username: USERNAME_MAX_CHARS,
};

type Path = readonly PropertyKey[];

const WRAPPERS: ReadonlySet<string | undefined> = new Set(['draft', 'keys']);

function fieldOf(path: Path): string {
  const names = path.filter((part) => typeof part === 'string');
  return (names.length > 1 && WRAPPERS.has(names[0]) ? names.slice(1) : names).join('.');
}

function subjectOf(path: Path): string {
  const name = fieldOf(path).split('.').at(-1) ?? '';
  if (name === '') return 'The request';
  if (typeof path.at(-1) === 'number') return (SUBJECTS[name] ?? '').replace('The list', 'An entry of the list');
  return SUBJECTS[name] ?? `The ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

const KINDS: Record<string, string> = {
  string: 'must be text',
  number: 'must be a whole number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
};

const UNITS: Record<string, string> = { string: 'character', array: 'entry', set: 'entry' };

function tooMuch(origin: string, maximum: number, name: string): string {
  if (origin === 'string') return `can be at most ${plural(MAX_CHARS[name] ?? maximum, 'character')} long`;
  if (maximum >= Number.MAX_SAFE_INTEGER) return 'is too large';
  return origin === 'array' ? `can have at most ${maximum} entries` : `can be at most ${maximum}`;
}

function tooLittle(origin: string, minimum: number): string {
  if (UNITS[origin] === undefined) return `must be at least ${minimum}`;
  if (minimum === 1) return 'must not be empty';
  return origin === 'string'
    ? `must have at least ${plural(minimum, 'character')}`
    : `must have at least ${minimum} entries`;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map(String);
  if (words.length < 2 || words.length > 10) return 'is not valid';
  return `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function predicateOf(issue: z.core.$ZodRawIssue, name: string): string {
  if (issue.input === undefined || issue.input === null) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? (name === '' ? 'must be a JSON object' : 'must be an object');
    case 'too_big':
      return tooMuch(issue.origin, Number(issue.maximum), name);
    case 'too_small':
      return tooLittle(issue.origin, Number(issue.minimum) + (issue.inclusive === false ? 1 : 0));
    case 'invalid_value':
      return oneOf(issue.values);
    default:
      return 'is not valid';
  }
}

function describeIssue(issue: z.core.$ZodRawIssue): string {
  const path = issue.path ?? [];
  return `${subjectOf(path)} ${predicateOf(issue, fieldOf(path).split('.').at(-1) ?? '')}`;
}

const SENTENCES = { error: describeIssue };

const missing = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.filter(({ message }) => message.endsWith('is missing')).length;

function closestIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const [issue] = issues;
  if (issue?.code !== 'invalid_union' || issue.errors.length === 0) return issue;
  const [closest] = issue.errors.toSorted((a, b) => missing(a) - missing(b) || a.length - b.length);
  const inner = closestIssue(closest ?? []);
  return inner && { ...inner, path: [...issue.path, ...inner.path] };
}

/** True if a text of the input contains NUL, the one character that PostgreSQL cannot store. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) if (hasNul((value as Record<string, unknown>)[key])) return true;
  return false;
}

function findNul(value: unknown, path: string[] = []): string[] | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = findNul(part, [...path, key]);
    if (found) return found;
  }
  return null;
}

function refuse(code: string, path: Path, message: string): never {
  const field = fieldOf(path);
  throw badRequest(code, message, field === '' ? undefined : { field });
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value ?? {}, SENTENCES);
  if (!result.success) {
    const issue = closestIssue(result.error.issues);
    return refuse('invalid_input', issue?.path ?? [], issue?.message ?? 'The request is not valid');
  }
  const nul = hasNul(result.data) ? findNul(result.data) : null;
  if (nul) refuse('invalid_text', nul, `${subjectOf(nul)} contains a character that cannot be stored (NUL)`);
  return result.data;
}

/** Refuses parameters that an endpoint of the open API does not know: a misspelled filter must not look as if it filtered. @throws 400 */
function checkParameters({ open, query }: EndpointSpec, sent: unknown): void {
  if (!open) return;
  const known = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  const unknown = Object.keys(sent ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const rest = known.length === 0 ? 'It takes none.' : `It takes ${known.join(', ')}.`;
  throw badRequest(
    'unknown_parameter',
    `This endpoint does not know the parameter ${JSON.stringify(unknown)}. ${rest}`,
    {
      field: unknown,
    },
  );
}

interface Sent {
  params: unknown;
  query: unknown;
  body: unknown;
}

export function parseInput(endpoint: EndpointSpec, { params, query, body }: Sent) {
  checkParameters(endpoint, query);
  return {
    params: parse(endpoint.params, params),
    query: parse(endpoint.query, query),
    body: parse(endpoint.body, body),
  };
}
