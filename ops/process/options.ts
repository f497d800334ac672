import { parseArgs } from 'node:util';

interface Option {
  type: 'boolean' | 'string';
  short?: string;
  multiple?: boolean;
  says: string;
}

type Options = Record<string, Option>;

const HELP = { help: { type: 'boolean', short: 'h', says: 'prints this' } } as const;

function describeOptions(usage: string, options: Options): string {
  const all: Options = { ...HELP, ...options };
  const lines = Object.entries(all).map(([name, { type, says }]) => {
    const shown = `--${name}${type === 'string' ? ' <value>' : ''}`;
    return `  ${shown.padEnd(20)}${says}`;
  });
  return [usage, '', ...lines].join('\n');
}

const parse = <const T extends Options>(args: string[], options: T) =>
  parseArgs({ args, options: { ...HELP, ...options }, allowPositionals: true });

export function readOptions<const T extends Options>(
  usage: string,
  options: T,
  args = process.argv.slice(2),
  mostPositionals = 0,
): ReturnType<typeof parse<T>> {
  const refuse = (message: string): never => {
    console.error(`✗ ${message}\n\n${describeOptions(usage, options)}`);
    process.exit(1);
  };
  try {
    const parsed = parse(args, options);
    if ('help' in parsed.values) {
      console.log(describeOptions(usage, options));
      process.exit(0);
    }
    const extra = parsed.positionals[mostPositionals];
    return extra === undefined ? parsed : refuse(`"${extra}" is no option`);
  } catch (error) {
    if (!(error instanceof TypeError) || !('code' in error)) throw error;
    return refuse(error.message);
  }
}
