import { describe, expect, test } from 'vitest';
import { findForbidden } from './check-imports.ts';
import { importsOf, readImports } from './import-graph.ts';
import { DOORS, isProduct } from './import-rules.ts';

const said = (file: string, source: string): string[] => findForbidden(importsOf(file, source));

/** Whether product code of another room, or of ops/, imports this module. */
const isOtherRoom = (from: string, to: string): boolean =>
  isProduct(from) && from.split('/', 2).join('/') !== to.split('/', 2).join('/');

describe('the import guard', () => {
  test.each([
    ['shared/probe.ts', `import '#server/people/users/routes.ts'`],
    ['shared/probe.ts', `import { x } from '../server/kit/http/errors.ts'`],
    ['shared/probe.ts', `import type { Services } from '#server/kit/services.ts'`],
    ['shared/probe.ts', `import fs from 'node:fs'`],
    ['chain/probe.ts', `export * from '#db/client.ts'`],
    ['db/probe.ts', `import { runJobs } from '#server/money/ledger/check-invariants.ts'`],
    ['web/lib/probe.ts', `import '#server/voting/votes/actions.ts'`],
    ['web/lib/probe.ts', `const database = await import('#db/client.ts')`],
    ['web/lib/probe.ts', `type Db = import('#db/client.ts').Db`],
    ['web/lib/probe.ts', `import 'node:fs/promises'`],
    ['record/log/probe.ts', `import 'node:crypto'`],
    ['web/ui/probe.tsx', `import { z } from '#shared/contract/index.ts'`],
    ['web/ui/probe.tsx', `import { api } from '../lib/api.ts'`],
    ['web/ui/probe.tsx', `import '../pages/home/deck/vote.ts'`],
    ['web/pages/home/probe.tsx', `export { x } from '../profile/profile-draft.ts'`],
    ['web/pages/home/deck/probe.tsx', `import('../../admin/admin-page.tsx')`],
    ['server/voting/votes/probe.ts', `import '#server/people/users/routes.ts'`],
    ['server/listings/probe.ts', `import { x } from '#server/money/orders/place.ts'`],
    ['server/books/probe.ts', `import '#server/listings/projects/queries.ts'`],
    ['server/voting/votes/probe.ts', `import '#web/lib/paths.ts'`],
    ['server/voting/votes/probe.ts', `import { start } from '#packages/sandbox/ledger/chain.ts'`],
    ['server/voting/votes/probe.ts', `import { newUser } from '#lab/testing/builders.ts'`],
    ['server/kit/http/probe.ts', `import { requireAdminToken } from '#server/panel/admin/gate.ts'`],
    ['server/kit/services.ts', `import type { Feed } from '#server/listings/projects/feed.ts'`],
    ['server/voting/votes/probe.ts', `import { startEmbeddedPostgres } from '#ops/postgres/embedded.ts'`],
    ['ops/serve/main.ts', `const { seed } = await import('#lab/demo/seed.ts')`],
    ['db/probe.ts', `import { freePort } from '#ops/process/free-port.ts'`],
    ['lab/demo/probe.ts', `import '#server/voting/votes/actions.ts'`],
    ['ops/serve/probe.ts', `import '../../scripts/start.ts'`],
    ['packages/sandbox/probe.ts', `import '#chain/client.ts'`],
    ['packages/sandbox/probe.ts', `import '#ops/process/children.ts'`],
    ['ops/serve/probe.ts', `import '#lab/start/demo.ts'`],
    ['record/verify/probe.ts', `import '#server/record/queries.ts'`],
    ['web/lib/probe.ts', `import '#ops/process/report.ts'`],
    ['lab/e2e/probe.e2e.ts', `import { newUser } from '../testing/client.ts'`],
    ['lab/e2e/probe.e2e.ts', `import '../demo/seed.ts'`],
    ['lab/load/probe.ts', `import '../e2e/fixtures.ts'`],
  ])('refuses in %s: %s', (file, source) => {
    expect(said(file, source)).toEqual([expect.stringContaining(`${file} imports`)]);
  });

  test.each([
    ['web/lib/probe.ts', `import '#shared/text/text.ts'; import '../ui/button.tsx'; import 'react'`],
    ['web/pages/home/probe.test.ts', `import { readFile } from 'node:fs/promises'`],
    [
      'server/voting/votes/probe.ts',
      `import '#server/people/users/queries.ts'; import '#chain/address.ts'; import 'node:fs'`,
    ],
    ['server/voting/votes/probe.test.ts', `import '#lab/testing/builders.ts'; import '#server/people/users/routes.ts'`],
    ['lab/load/probe.ts', `import '../testing/wallets.ts'`],
  ])('allows in %s: %s', (file, source) => {
    expect(said(file, source)).toEqual([]);
  });

  test('finds circles between files, and between folders whose files have none', () => {
    const circle = [
      ...importsOf('server/voting/votes/one.ts', `import type { B } from './two.ts'`),
      ...importsOf('server/voting/votes/two.ts', `const one = () => import('./one.ts')`),
    ];
    expect(findForbidden(circle)).toEqual(['a circle: server/voting/votes/one.ts, server/voting/votes/two.ts']);
    const folders = [
      ...importsOf('server/voting/votes/one.ts', `import '#server/people/users/queries.ts'`),
      ...importsOf('server/people/users/two.ts', `import '#server/voting/votes/own-vote.ts'`),
    ];
    expect(findForbidden(folders)).toEqual(['a circle: server/people, server/voting']);
  });

  test('each door of a room is a file that another room imports', async () => {
    const used = new Set((await readImports()).filter(({ from, to }) => isOtherRoom(from, to)).map(({ to }) => to));
    const doors = Object.entries(DOORS).flatMap(([room, files]) =>
      Object.keys(files).map((file) => `server/${room}/${file}`),
    );
    expect(doors.filter((door) => !used.has(door))).toEqual([]);
  });
});
