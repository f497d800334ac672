import { read, sources } from './sources.ts';
import { findUnits } from './unit-word.ts';

/** A text that some files must not contain, with an example and what to write instead. */
export interface Pattern {
  not: RegExp;
  files?: RegExp;
  example: string;
  but: string;
  /** Places where it is allowed, as 'file: text'. */
  except?: readonly string[];
}

/** Words that this project does not use (docs/use/glossary.md). */
const WORDS: readonly Pattern[] = [
  { not: /\bwhoever\b/i, example: 'whoever', but: 'a user, a request, a process' },
  { not: /\bsomebody\b/i, example: 'somebody', but: 'a user, another process' },
  { not: /\b(?:he|his|him|himself)\b/i, example: 'his', but: "they, the user's" },
  { not: /\bbut for\b/i, example: 'but\n// for', but: 'except' },
  { not: /\bany more\b/i, example: 'any\n * more', but: 'no longer' },
  { not: /\ball the same\b/i, example: 'all the same', but: 'still' },
  { not: /\bis there\b/i, example: 'is there', but: 'exists' },
  { not: /\banew\b/i, example: 'anew', but: 'again' },
  { not: /\bfor ever\b/i, example: 'for ever', but: 'permanently' },
];

const PAGE = /^web\/.+(?<!\.test)\.(?:css|tsx?)$/;
const JOURNEYS = /^lab\/e2e\//;

export const PATTERNS: readonly Pattern[] = [
  ...WORDS,
  {
    // Endless motion costs battery while a page is open, and users could not stop it (WCAG 2.2.2).
    not: /animate-(?:spin|ping|pulse|bounce)\b|[\w -]*\binfinite\b|iterations: (?:Number\.POSITIVE_)?Infinity/,
    files: PAGE,
    example: 'animation: ring linear infinite;',
    but: 'motion that ends with its cause',
    except: [
      'web/payments/open-payments.tsx: animate-spin',
      'web/voting/voting.module.css: ring linear infinite',
      'web/wallet/connection-status.tsx: animate-ping',
    ],
  },
  {
    // The page is mirrored for readers of Arabic and Hebrew, whose lines start on the right.
    not: /(?<=[\s"'`:])(?:-?(?:[mp][lr]|left|right)-[\w/.[\]]+|text-(?:left|right)\b|border-[lr]\b|rounded-[tb]?[lr]\b)/,
    files: /^web\/.+(?<!\.test)\.tsx$/,
    example: '<p className="ml-2" />',
    but: 'the start and the end of a line',
    // Positions that are not mirrored: the sides of a swipe, and centers.
    except: [
      'web/deck/project-card.tsx: left-4',
      'web/deck/project-card.tsx: right-4',
      'web/ui/dialog.tsx: left-1/2',
      'web/ui/tabs.tsx: left-0',
      'web/voting/congratulation.tsx: left-1/2',
      'web/voting/reward-popup.tsx: -ml-3',
      'web/voting/reward-popup.tsx: left-1/2',
      'web/pages/home/listed-dialog.tsx: left-1/2',
    ],
  },
  {
    // Green and coral mean bullish and bearish [R98]; a warning is said in words.
    not: /\b(?:text|bg|border|fill|stroke)-(?:on-)?(?:bull|bear|warn)\b[\w-]*/,
    files:
      /^web\/(?!deck|voting|offline|ui\/badge|components\/(?:charts|layout|project|values)|pages\/(?:home|leaderboard|portfolio|project|trust)\/).+(?<!\.test)\.tsx?$/,
    example: '<p className="text-bear" />',
    but: 'the color of text',
  },
  {
    not: /\btext-(?:xl|[35789]xl)\b/,
    files: PAGE,
    example: '<h2 className="text-3xl" />',
    but: 'a size of web/styles/tokens.css',
  },
  {
    not: /\$\{Date\.now\(\)|\[[^\]]*\bDate\.now\(\)\s*\]/,
    files: JOURNEYS,
    example: '`Owned ${Date.now()}`',
    but: 'lab/e2e/unique.ts: two workers can read the same millisecond',
  },
  {
    not: /\.fulfill\(\{[^}]*?\bjson\b/,
    files: /^lab\/e2e\/(?!made-up\.ts)/,
    example: 'route.fulfill({ status: 200, json: {} })',
    but: 'lab/e2e/made-up.ts, which checks it',
  },
  {
    // A child process would inherit the flags of the test runner.
    not: /(?<![`\w])fork\((?![^;]*(?:\bexecArgv\b|\boptions\)))/,
    files: /\.ts$/,
    example: "fork(path.resolve('main.ts'), { env: own() })",
    but: 'its flags, too',
  },
  { not: /\bvi\.(?:mock|doMock)\(/, files: /\.test\.tsx?$/, example: "vi.mock('./a.ts')", but: 'the real module' },
];

const SELF = /^lab\/rules\/patterns(?:\.test)?\.ts$|^lab\/demo\/(?:projects|talk)\.json$/;

const joined = (text: string): string => text.replaceAll(/\s*\n\s*(?:\/\/|--|\*|>|#)?\s*/g, ' ');

export function found({ not, files = /./, except = [] }: Pattern, file: string, text: string): string[] {
  if (!files.test(file) || SELF.test(file)) return [];
  return [...joined(text).matchAll(new RegExp(not, `g${not.flags}`))]
    .map(([match]) => `${file}: ${match.trim()}`)
    .filter((place) => !except.includes(place));
}

export async function findPatterns(): Promise<string[]> {
  const files = await sources();
  const offences = files.flatMap((file) =>
    PATTERNS.flatMap((pattern) => found(pattern, file, read(file)).map((place) => `${place}, say ${pattern.but}`)),
  );
  return [...offences, ...(await findUnits())];
}
