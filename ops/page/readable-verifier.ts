import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type FormatConfig, format } from 'oxfmt';
import { type ESTree, parseSync, type Plugin, type Rolldown, Visitor } from 'vite';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { ROOT } from '../process/report.ts';
import { type Statement, statementsOf } from './verifier-names.ts';

/**
 * Writes the verifier for people who read it before they trust it: our own modules on top, each before those that it
 * uses, and the libraries below them in one function. A bundler writes a module after those that it uses, so that what
 * the file is about would come after 27,000 lines of libraries.
 */

const STYLE: FormatConfig = { singleQuote: true, printWidth: 120, objectWrap: 'collapse' };
const LIBRARY = /node_modules\/((?:@[^/]+\/)?[^/]+)/;

interface Part {
  id: string;
  /** `record/verify/cli.ts` */
  name: string;
  code: string;
  statements: Statement[];
}

/** Helpers of the bundler count as a library. */
const isOwn = (id: string): boolean => !id.startsWith('\0') && !LIBRARY.test(id);
const lines = (text: string): number => text.split('\n').length - 1;

function partOf(id: string, code: string): Part {
  const name = path.relative(ROOT, id.replace(/^\0/, ''));
  const { program, errors } = parseSync('part.js', code);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message ?? ''}`);
  return { id, name, code, statements: statementsOf(program) };
}

/** Modules in the order in which they are read: none before one that imports it; those that the site has in common with it come last. */
function topDown(entry: string, importsOf: (id: string) => readonly string[]): string[] {
  const finished = new Set<string>();
  const visit = (id: string): void => {
    if (finished.has(id)) return;
    const isNear = (imported: string): boolean => path.dirname(imported) === path.dirname(id);
    const imports = importsOf(id).filter(isOwn);
    const ordered = [...imports.filter(isNear), ...imports.filter((imported) => !isNear(imported))];
    for (const imported of ordered.toReversed()) visit(imported);
    finished.add(id);
  };
  visit(entry);
  const isShared = (id: string): boolean => path.relative(ROOT, id).startsWith('shared/');
  const ordered = [...finished].toReversed();
  return [...ordered.filter((id) => !isShared(id)), ...ordered.filter(isShared)];
}

/** Everything that a module may need when the file reaches it, through functions that it calls. */
function neededBy(
  part: Part,
  declarations: ReadonlyMap<string, { part: Part; refersTo: () => Set<string> }>,
): Set<Part> {
  const names = new Set(part.statements.flatMap(({ needs }) => needs()));
  const parts = new Set<Part>();
  // The set grows while it is read.
  for (const name of names) {
    const declared = declarations.get(name);
    if (!declared) continue;
    parts.add(declared.part);
    for (const further of declared.refersTo()) names.add(further);
  }
  parts.delete(part);
  return parts;
}

/** In reading order, except that a value comes before a module that needs it at once. The entry, which starts it all, is the last. */
function inReadingOrder(parts: readonly Part[], entry: string): Part[] {
  const declarations = new Map(
    parts.flatMap((part) =>
      part.statements.flatMap(({ declares, refersTo }) =>
        declares.map((name): [string, { part: Part; refersTo: () => Set<string> }] => [name, { part, refersTo }]),
      ),
    ),
  );
  const ordered = new Set<Part>();
  const pending = new Set<Part>();
  const add = (part: Part): void => {
    if (pending.has(part)) return;
    pending.add(part);
    const needed = neededBy(part, declarations);
    for (const other of parts) if (needed.has(other)) add(other);
    ordered.add(part);
  };
  for (const part of parts) if (part.id !== entry) add(part);
  return [...ordered, ...parts.filter(({ id }) => id === entry)];
}

async function formatted(code: string): Promise<string> {
  const result = await format('verify.mjs', code, STYLE);
  if (result.errors.length > 0) throw new Error(`The verifier could not be formatted: ${result.errors[0]?.message}`);
  return result.code;
}

/** Adds the empty lines around functions that a bundler drops. */
function written({ name, code, statements }: Part): string {
  const texts = statements.map(({ end }, at) => code.slice(statements[at - 1]?.end ?? 0, end).trim());
  const isLong = (text = ''): boolean => text.includes('\n');
  return texts.reduce(
    (text, next, at) => `${text}${at > 0 && (isLong(texts[at - 1]) || isLong(next)) ? '\n' : ''}${next}\n`,
    texts[0]?.startsWith('// ') ? '' : `// ${name}\n`,
  );
}

async function versionOf(library: string): Promise<string> {
  const text = await readFile(path.join(ROOT, 'node_modules', library, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

async function listOf(libraries: readonly Part[]): Promise<string[]> {
  const sizes = new Map<string, number>();
  for (const { name, code } of libraries) {
    const library = LIBRARY.exec(name)?.[1];
    if (library !== undefined) sizes.set(library, (sizes.get(library) ?? 0) + lines(`${code}\n`));
  }
  const rows = [...sizes].map(async ([library, count]) => [`${library} ${await versionOf(library)}`, count] as const);
  return (await Promise.all(rows)).map(
    ([library, count]) => `//   ${library.padEnd(36)} ${count.toLocaleString('en').padStart(6)} lines`,
  );
}

/** A reader may stop here. */
export const END_OF_OURS =
  '// Here ends what is ours. Below it are the used parts of the libraries that the head names, and nothing else.';

const headOf = (own: string, list: readonly string[]): string =>
  [
    '// The verifier of Snapswipe: it downloads the public record of a site and recomputes every figure that the site shows.',
    '//   node verify.mjs https://snapswipe.example        needs Node 20 or later, and nothing else; --help prints the options',
    '//',
    `// The ${lines(own).toLocaleString('en')} lines after this comment are ours. They are in the order to read them: a module comes before those that it`,
    '// uses, except where it needs a value at once, and the last line starts it. The page /trust/record of a site defines the record.',
    '// After them come the used parts of these libraries, in one function:',
    ...list,
    '//',
    '// Compare this file before you run it: its SHA-256 (`sha256sum verify.mjs`) is at /trust/verify.mjs.sha256 of each site that',
    '// runs this release, and `npm run build` makes the same file from the sources.',
    '',
  ].join('\n');

interface Bundle {
  entry: string;
  code: string;
  modules: Rolldown.RenderedChunk['modules'];
  importsOf: (id: string) => readonly string[];
}

async function arrange({ entry, code, modules, importsOf }: Bundle): Promise<string> {
  const parts = new Map(
    Object.entries(modules).flatMap(([id, module]) => (module.code ? [[id, partOf(id, module.code)] as const] : [])),
  );
  const libraries = [...parts.values()].filter(({ id }) => !isOwn(id));
  const read = topDown(entry, importsOf).flatMap((id) => parts.get(id) ?? []);
  const own = inReadingOrder(read, entry);
  if (own.length + libraries.length !== parts.size) throw new Error('The verifier has a module that nothing imports');
  const used = new Set(own.flatMap(({ statements }) => statements.flatMap(({ refersTo }) => [...refersTo()])));
  const provided = libraries.flatMap(({ statements }) => statements.flatMap(({ declares }) => declares));
  const names = [...new Set(provided)].filter((name) => used.has(name)).join(', ');
  const imports = code.match(/^import .*;$/gm) ?? [];
  const ours = [...imports, '', `const { ${names} } = libraries();`, '', ...own.map(written)].join('\n');
  const theirs = [
    END_OF_OURS,
    'function libraries() {',
    ...libraries.map((part) => `// ${part.name}\n${part.code}`),
    `return { ${names} };`,
    '}',
  ];
  const top = await formatted(ours);
  return [headOf(top, await listOf(libraries)), top, ...theirs, ''].join('\n');
}

/** The parts of an endpoint's declaration that a reader of its response needs. */
function partsOf(code: string, { properties }: ESTree.ObjectExpression): string[] {
  const textOf = ({ start, end }: ESTree.Node): string => code.slice(start, end);
  return properties.flatMap((part) => {
    if (part.type === 'Property')
      return part.key.type === 'Identifier' && part.key.name === 'response' ? textOf(part) : [];
    const { argument } = part;
    const isPaged = argument.type === 'CallExpression' && textOf(argument.callee) === 'inPages';
    return isPaged && argument.arguments[0] ? `pages: ${textOf(argument.arguments[0])}` : [];
  });
}

/** Contracts with addresses and responses alone: `endpoint('getSupply', …)` becomes `{ path: '/api/supply', response: … }`. */
function withResponsesOnly(code: string): string {
  const calls: Array<{ start: number; end: number; text: string }> = [];
  const table: Record<string, string> = ENDPOINTS;
  new Visitor({
    CallExpression({ callee, arguments: [name, spec], start, end }) {
      if (callee.type !== 'Identifier' || !/^(?:endpoint|openRead)$/.test(callee.name)) return;
      if (name?.type !== 'Literal' || spec?.type !== 'ObjectExpression') return;
      const at = table[String(name.value)]?.split(' ')[1] ?? String(name.value);
      calls.push({ start, end, text: `{ path: '${at}', ${partsOf(code, spec).join(', ')} }` });
    },
  }).visit(parseSync('part.js', code).program);
  return calls.toReversed().reduce((rest, { start, end, text }) => rest.slice(0, start) + text + rest.slice(end), code);
}

export function readableVerifier(): Plugin {
  return {
    name: 'readable-verifier',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/shared\/contract\// },
      handler: (code) => ({ code: withResponsesOnly(code), map: null }),
    },
    applyToEnvironment: ({ name }) => name === 'verifier',
    renderChunk: {
      order: 'post',
      async handler(code, { modules, facadeModuleId }) {
        if (facadeModuleId === null) return null;
        const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
        return { code: await arrange({ entry: facadeModuleId, code, modules, importsOf }), map: null };
      },
    },
  };
}
