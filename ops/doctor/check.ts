export interface CheckResult {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  what: string;
  remedy: string | null;
}

class Problem extends Error {
  readonly state: 'warn' | 'fail';
  readonly remedy: string;

  constructor(state: 'warn' | 'fail', what: string, remedy: string) {
    super(what);
    this.state = state;
    this.remedy = remedy;
  }
}

export const warning = (what: string, remedy: string): Problem => new Problem('warn', what, remedy);
export const failure = (what: string, remedy: string): Problem => new Problem('fail', what, remedy);

export interface Question<Subject> {
  name: string;
  /** Name of an earlier question: this one is skipped when that one fails or is skipped. */
  needs?: string;
  /** Returns the good result, or null if there is nothing to check. Throws a problem, or the error that prevented the check. */
  ask(subject: Subject): Promise<string | null>;
  /** What to do about errors that are not problems. */
  remedy: string;
}

const PATIENCE_MS = 20_000;

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no result within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function answer<Subject>(
  { name, ask, remedy }: Question<Subject>,
  subject: Subject,
): Promise<CheckResult | null> {
  try {
    const what = await inTime(ask(subject));
    return what === null ? null : { name, state: 'ok', what, remedy: null };
  } catch (error) {
    if (error instanceof Problem) return { name, state: error.state, what: error.message, remedy: error.remedy };
    return { name, state: 'fail', what: reasonOf(error), remedy };
  }
}

export async function askAll<Subject>(questions: Question<Subject>[], subject: Subject): Promise<CheckResult[]> {
  const results = new Map<string, Promise<CheckResult | null>>();
  for (const question of questions) {
    const needed = question.needs === undefined ? undefined : results.get(question.needs);
    const run = async () => {
      if (needed !== undefined && ((await needed)?.state ?? 'fail') === 'fail') return null;
      return answer(question, subject);
    };
    results.set(question.name, run());
  }
  return (await Promise.all(results.values())).filter((result) => result !== null);
}
