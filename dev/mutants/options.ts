import { parseArgs } from 'node:util';

/** Each option with what it does, as `npm run mutants -- --help` prints it. */
const OPTIONS = {
  help: { type: 'boolean', short: 'h', says: 'prints this' },
  all: { type: 'boolean', says: 'faults of all sources, not only of those that differ from the base' },
  subject: {
    type: 'string',
    multiple: true,
    says: 'faults of this subject, such as votes; may be given several times',
  },
  base: { type: 'string', says: 'the branch to compare with (main)' },
  file: { type: 'string', multiple: true, says: 'faults of this file; may be given several times' },
  sample: { type: 'string', says: 'at most so many of each subject, drawn by the seed' },
  seed: { type: 'string', says: 'the seed of the sample (1)' },
  minutes: { type: 'string', says: 'begins no fault after so many minutes' },
  quick: { type: 'boolean', says: 'asks the six nearest test files at most, and of these what takes 40 s together' },
  units: { type: 'boolean', says: 'asks only unit tests, about what they reach' },
  types: { type: 'boolean', says: 'asks the type checker about survivors' },
  report: { type: 'string', says: 'writes all results to this file' },
  resume: { type: 'boolean', says: 'goes on where the report ends' },
  again: { type: 'boolean', says: 'asks about the survivors of the report once more, and about nothing else' },
} as const;

export function describeOptions(): string {
  const lines = Object.entries(OPTIONS).map(([name, { type, says }]) => {
    const shown = `--${name}${type === 'string' ? ' <value>' : ''}`;
    return `  ${shown.padEnd(20)}${says}`;
  });
  return ['npm run mutants -- [options]', '', ...lines].join('\n');
}

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS }).values;

/** The options of a run. Prints what there is and ends the process where that is asked for, or where one is unknown. */
export function readOptions(args: string[]): ReturnType<typeof parse> {
  try {
    const values = parse(args);
    if (values.help !== true) return values;
    console.log(describeOptions());
  } catch (error) {
    if (!(error instanceof TypeError) || !('code' in error)) throw error;
    console.error(`${error.message}\n\n${describeOptions()}`);
    process.exit(1);
  }
  process.exit(0);
}
