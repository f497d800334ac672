/** Each option with what it does, as `npm run mutants -- --help` prints it. */
export const OPTIONS = {
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
