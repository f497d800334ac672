/**
 * Runs test files of the tree in its working directory when asked to, with one Vitest that stays: a run begins in a second, and
 * each begins with new workers. A process of its own, so that an endless loop can be ended from outside.
 */
import path from 'node:path';
import { createVitest, type Reporter, type TestSpecification } from 'vitest/node';
import type { HostMessage, Question } from './tester.ts';

const say = (response: HostMessage): void => void process.send?.(response);
const nameOf = (file: string): string => path.relative(process.cwd(), file).split(path.sep).join('/');

const reporter: Reporter = {
  onTestModuleStart: ({ moduleId }) => say({ kind: 'file', file: nameOf(moduleId) }),
  onTestCaseResult(test) {
    const result = test.result();
    if (result.state !== 'failed') return;
    say({
      kind: 'failed',
      file: nameOf(test.module.moduleId),
      test: test.fullName,
      message: result.errors[0]?.message ?? '',
    });
  },
};

let order: string[] = [];
const placeOf = ({ moduleId }: TestSpecification): number => order.indexOf(nameOf(moduleId));

const vitest = await createVitest('test', {
  watch: false,
  maxWorkers: 1,
  bail: 1,
  reporters: [reporter],
  sequence: {
    sequencer: class {
      sort = async (specs: TestSpecification[]) => specs.toSorted((one, other) => placeOf(one) - placeOf(other));
      shard = async (specs: TestSpecification[]) => specs;
    },
  },
});
const all = await vitest.globTestSpecifications();
say({
  kind: 'ready',
  tests: all.map(({ moduleId, project }) => ({ file: nameOf(moduleId), isUnit: project.name === 'unit' })),
});

async function run({ files, changed }: Question): Promise<void> {
  order = files;
  for (const file of changed) vitest.invalidateFile(path.resolve(file));
  try {
    const specs = all.filter(({ moduleId }) => files.includes(nameOf(moduleId)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs, false);
    const asked = testModules.filter(({ moduleId }) => files.includes(nameOf(moduleId)));
    const failed = asked.find((module) => !module.ok());
    const [error] = [...(failed?.errors() ?? []), ...unhandledErrors];
    const message = error instanceof Object && 'message' in error ? String(error.message) : '';
    const hasFailed = failed !== undefined || unhandledErrors.length > 0;
    if (hasFailed) say({ kind: 'failed', file: nameOf(failed?.moduleId ?? ''), test: '(the file)', message });
    say({ kind: 'done' });
  } catch (error) {
    say({ kind: 'broken', message: error instanceof Error ? error.message : String(error) });
  }
}

process.on('message', (question: Question) => void run(question));
process.on('disconnect', () => process.exit(0));
