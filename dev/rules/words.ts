import { read, sources } from './sources.ts';
import { findUnits } from './unit-word.ts';

/** What this project does not say, with an example of it, and what it says instead (docs/use/glossary.md). */
export interface Rule {
  not: RegExp;
  example: string;
  but: string;
}

const NAMES: Rule[] = [
  { not: /\b\w*desk(?!top)\w*/i, example: 'openDesk', but: 'admin panel, signInAsAdmin' },
  { not: /\b(?:HeldRead|HeldAnswer|holdAnswer)\b/, example: 'HeldRead', but: 'cached' },
  { not: /\bimplement(?:\(|[A-Z])|\bUncheckedCall\b/, example: 'implementCached', but: 'route' },
  { not: /\b(?:forget|remember|recall|peek)\w*\(/, example: 'forgetOne(', but: 'invalidate, getOrLoad, getCached' },
  {
    not: /\b(?:trustUntil|tell_servers|topicsOf|byTopic|applyNotice\(|onNotice\()/,
    example: 'applyNotice(',
    but: 'notification, tags',
  },
  { not: /\b\w*[a-z]Faults?\b/, example: 'usernameFault', but: 'a validation error, validateX' },
  { not: /\b\w*refusal\w*/i, example: 'isRefusal', but: 'rejection' },
  { not: /\b\w*verdict\w*/i, example: 'PaymentVerdict', but: 'result' },
  { not: /\b\w*judg(?:e|ing|ment)\w*/i, example: 'judgePayment', but: 'verify' },
  { not: /\b\w*[a-z]Answers?(?:Of)?\b|\bAnswerOf\b/, example: 'AnswerOf', but: 'response' },
  {
    not: /\b(?:moveOn|carryOut|setAside|nameDigest|lookAgain|giveUpLate)\b/,
    example: 'moveOn',
    but: 'transition, markUnclaimed',
  },
  {
    not: /\b(?:choose_leaders|chooseLeaders|retireListings|admin_tries|persist\()/,
    example: 'persist(',
    but: 'withRetry',
  },
  {
    not: /\b(?:earned bigint|failure text|note text)\b/,
    example: 'earned bigint',
    but: 'tokens_earned, failure_code, message',
  },
  { not: /\b(?:ORDERS|isOrder)\b/, example: 'ORDERS', but: 'Sort, for an order of rows' },
  { not: /\b(?:Story|World|Person)\b/, example: 'World', but: 'Scenario, TestEnvironment, TestUser' },
  { not: /\b(?:complaints?|comeToRest)\b/i, example: 'comeToRest', but: 'consoleErrors, waitForAnimations' },
  { not: /\b(?:checkKinship|ReplicaAway)\b/, example: 'ReplicaAway', but: 'assertSameCluster, ReplicaUnavailable' },
];

const PHRASES: Rule[] = [
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

export const RULES: readonly Rule[] = [...NAMES, ...PHRASES];

/** Where such a word is right. */
const ALLOWED: Array<{ files: RegExp; word?: RegExp; reason: string }> = [
  { files: /^dev\/rules\/words(?:\.test)?\.ts$/, reason: 'the list itself' },
  { files: /^demo\/(?:projects|talk)\.json$/, reason: 'texts of made-up projects and users' },
  { files: /^server\//, word: /^ChainFault$/, reason: 'a fault that tests inject' },
  { files: /^shared\/profile-rules\.ts$/, word: /^helpdesk$/, reason: 'a name that users may not take' },
];

/** A text as a reader has it: lines of a comment or a paragraph joined. */
const joined = (text: string): string => text.replaceAll(/\s*\n\s*(?:\/\/|--|\*|>|#)?\s*/g, ' ');

/** The words of a text that its rules do not allow, each with what to say instead. */
export function offencesIn(file: string, text: string): string[] {
  const allowed = ALLOWED.filter(({ files }) => files.test(file));
  const isAllowed = (found: string): boolean => allowed.some(({ word }) => word === undefined || word.test(found));
  return RULES.flatMap(({ not, but }) =>
    [...joined(text).matchAll(new RegExp(not, `g${not.flags}`))]
      .filter(([found]) => !isAllowed(found))
      .map(([found]) => `${file}: "${found}", say ${but}`),
  );
}

/** The same for every file of the repository and its path, and what calls Snaps tokens. */
export async function findWords(): Promise<string[]> {
  const files = await sources();
  const words = files.flatMap((file) => offencesIn(file, `${file}\n${read(file)}`));
  return [...words, ...(await findUnits())];
}
