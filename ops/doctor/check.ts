export type State = 'ok' | 'warn' | 'fail';

export interface CheckResult {
  name: string;
  state: State;
  what: string;
  remedy: string | null;
}

export class Problem extends Error {
  readonly state: Exclude<State, 'ok'>;
  readonly remedy: string;

  constructor(state: Exclude<State, 'ok'>, what: string, remedy: string) {
    super(what);
    this.state = state;
    this.remedy = remedy;
  }
}

export class Blocking extends Problem {}

export const warning = (what: string, remedy: string): Problem => new Problem('warn', what, remedy);
export const failure = (what: string, remedy: string): Problem => new Problem('fail', what, remedy);

export interface Check {
  name: string;
  /**
   * Returns the good result, or null where there is nothing to check. Throws a Problem, or the error that prevented the
   * check.
   */
  run(): Promise<string | null>;
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

/** Runs checks; those of `needing` are skipped where the first one finds that their requirement is missing. */
export async function runChecks(
  first: Check,
  needing: (() => Promise<(CheckResult | null)[]>)[],
): Promise<(CheckResult | null)[]> {
  let isBlocked = false;
  const run = () =>
    first.run().catch((error: unknown) => {
      isBlocked = error instanceof Blocking;
      throw error;
    });
  const result = await runCheck({ ...first, run });
  if (isBlocked) return [result];
  return [result, ...(await Promise.all(needing.map((each) => each()))).flat()];
}

export async function runCheck({ name, run, remedy }: Check): Promise<CheckResult | null> {
  try {
    const what = await inTime(run());
    return what === null ? null : { name, state: 'ok', what, remedy: null };
  } catch (error) {
    if (error instanceof Problem) return { name, state: error.state, what: error.message, remedy: error.remedy };
    return { name, state: 'fail', what: reasonOf(error), remedy };
  }
}
