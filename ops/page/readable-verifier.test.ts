import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createBuilder } from 'vite';
import { afterAll, expect, test } from 'vitest';
import { madeConfig } from '#shared/testing/site.ts';
import { listedCheckpoints } from '#record/testing/record.ts';
import { record } from '#record/testing/fitting-site.ts';
import { END_OF_OURS } from './readable-verifier.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'verifier-'));
afterAll(() => rm(folder, { recursive: true }));
const builder = await createBuilder({
  logLevel: 'error',
  environments: { verifier: { build: { outDir: folder, emptyOutDir: false } } },
});
const { verifier } = builder.environments;
if (verifier) await builder.build(verifier);
const file = path.join(folder, 'verify.mjs');
const lines = readFileSync(file, 'utf8').split('\n');
const from = lines.findIndex((line) => !line.startsWith('//')) + 1;
const until = lines.indexOf(END_OF_OURS);
// An empty line is on either side of our part.
const [head, own, theirs] = [lines.slice(0, from), lines.slice(from, until - 1), lines.slice(until)];
const modulesIn = (part: string[]) => part.flatMap((line) => /^\/\/ (\S+\.[cm]?[jt]s)$/.exec(line)?.[1] ?? []);

test('the file begins with our own modules in reading order, counts their lines, and says where they end [R63]', () => {
  expect(head.join('\n')).toContain(`The ${own.length.toLocaleString('en')} lines after this comment are ours.`);
  expect(lines.filter((line) => line === END_OF_OURS)).toHaveLength(1);
  const modules = modulesIn(own);
  expect(modules.filter((name) => !/^(?:record|chain|shared)\//.test(name) || !existsSync(name))).toEqual([]);
  expect([...modules.slice(0, 3), modules.at(-1)]).toEqual([
    'record/verify/believed.ts',
    'record/verify/cli.ts',
    'record/verify/verify.ts',
    'record/verify/main.ts',
  ]);
  // Fewer is better: one evening is to be enough to read them.
  expect(own.length).toBeLessThan(6_550);
});

test('each of our modules in the file declares exactly what its source file declares [R63]', () => {
  let source = '';
  const foreign = own.filter((line) => {
    const module = modulesIn([line])[0];
    if (module !== undefined) source = readFileSync(module, 'utf8');
    const name = /^(?:var|let|const|class|(?:async )?function\*?) (\w+)/.exec(line)?.[1];
    return name !== undefined && !source.includes(name);
  });
  expect(foreign).toEqual([]);
  const imports = own.filter((line) => /^import |\bimport\(/.test(line));
  expect(imports.filter((line) => !/ from 'node:[\w/]+';$/.test(line))).toEqual([]);
});

test('the head names each library that follows, with its version and lines [R63]', () => {
  const libraryOf = (module: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
  const used = new Set(modulesIn(theirs).flatMap((module) => libraryOf(module) ?? []));
  const named = head.flatMap((line) => {
    const [, library = '', version = '', count] = /^\/\/ {3}(\S+) (\d\S+) +([\d,]+) lines$/.exec(line) ?? [];
    return count === undefined ? [] : [{ library, version, count: Number(count.replaceAll(',', '')) }];
  });
  expect(named.map(({ library }) => library).toSorted()).toEqual([...used].toSorted());
  for (const { library, version } of named)
    expect([library, JSON.parse(readFileSync(`node_modules/${library}/package.json`, 'utf8'))]).toMatchObject([
      library,
      { version },
    ]);
  const counted = named.reduce((sum, { count }) => sum + count, 0);
  expect(counted / theirs.length).toBeGreaterThan(0.97);
});

test('every name in the file is defined, although its modules have moved [R63]', async () => {
  const config = {
    env: { node: true, es2024: true },
    categories: { correctness: 'off' },
    rules: { 'no-undef': 'error' },
  };
  await writeFile(path.join(folder, 'names.json'), JSON.stringify(config));
  const oxlint = path.resolve('node_modules/oxlint/bin/oxlint');
  const args = [oxlint, '--config', 'names.json', 'verify.mjs'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(stdout).toContain('Found 0 warnings and 0 errors.');
});

const CONFIG = madeConfig();
const execute = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { HOME: folder } };
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });

test('the file checks a record with nothing installed beside it [R43 R63]', async () => {
  expect(await execute('--help')).toEqual({ code: 0, output: expect.stringContaining('node verify.mjs https://') });
  const checkpoints = listedCheckpoints(record).toReversed();
  const summary = { isPublished: true, origin: 'snapswipe.test/log', verifierKey: record.verifierKey };
  const responses: Record<string, unknown> = {
    '/api/record': { ...summary, anchorSender: null, witnesses: [], restores: [], checkpoints },
    '/api/record/checkpoints': checkpoints,
    '/api/config': CONFIG,
  };
  const site = createServer((request, response) => {
    const [at = ''] = request.url?.split('?') ?? [];
    const body = record.files.get(at.replace('/log/', '')) ?? (responses[at] && JSON.stringify(responses[at]));
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  try {
    const { output } = await execute(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
    for (const name of ['Signatures', 'Entries', 'Tree', 'Files', 'History', 'Uniqueness', 'Changes', 'Counters'])
      expect(output).toMatch(new RegExp(`^✓ ${name}`, 'm'));
  } finally {
    site.close();
  }
});
