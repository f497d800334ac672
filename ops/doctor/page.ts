import type { CheckResult, State } from './check.ts';

const MARKS: Record<State, string> = { ok: '✓', warn: '!', fail: '✗' };
const NAME_CHARS = 15;

function count(results: CheckResult[], state: State, one: string, many: string): string[] {
  const found = results.filter((result) => result.state === state).length;
  return found === 0 ? [] : [`${found} ${found === 1 ? one : many}`];
}

export function drawPage(results: CheckResult[]): string {
  const lines = results.flatMap(({ name, state, what, remedy }) => {
    const line = `${MARKS[state]} ${name.padEnd(NAME_CHARS)}${what}`;
    return remedy === null ? [line] : [line, `${' '.repeat(NAME_CHARS + 2)}→ ${remedy}`];
  });
  const troubles = [...count(results, 'fail', 'failure', 'failures'), ...count(results, 'warn', 'warning', 'warnings')];
  return [
    ...lines,
    '',
    `${results.length === 1 ? '1 check' : `${results.length} checks`}: ${troubles.join(', ') || 'all is well'}`,
  ].join('\n');
}
