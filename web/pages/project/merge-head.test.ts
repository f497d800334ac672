import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import type { ListPage } from '../../lib/fetch-page.ts';
import type { Pages } from '../../lib/use-list.ts';
import { mergeHead } from './merge-head.ts';

interface Row {
  id: number;
}
const SIZE = 4;

/** A page as the server would give it: rows newest first, behind `cursor`. */
function pageAt(ids: readonly number[], cursor?: string): ListPage<Row> {
  const behind = cursor === undefined ? ids : ids.filter((id) => id < Number(cursor));
  const rows = behind.slice(0, SIZE).map((id) => ({ id }));
  return {
    rows,
    nextCursor: behind.length > SIZE ? String(rows.at(-1)?.id) : null,
    total: ids.length,
  };
}

function load(ids: readonly number[], pages: number): Pages<ListPage<Row>> {
  const data: Pages<ListPage<Row>> = { pages: [pageAt(ids)], pageParams: [undefined] };
  for (let i = 1; i < pages; i += 1) {
    const cursor = data.pages.at(-1)?.nextCursor;
    if (!cursor) break;
    data.pages.push(pageAt(ids, cursor));
    data.pageParams.push(cursor);
  }
  return data;
}
const idsOf = ({ pages }: Pages<ListPage<Row>>) => pages.flatMap(({ rows }) => rows.map(({ id }) => id));
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

test('a polled page replaces a single page, and a list that fits on one page [S9.4]', () => {
  expect(mergeHead(load(down(20, 1), 1), pageAt(down(30, 1)))).toMatchObject({ pages: [pageAt(down(30, 1))] });
  expect(mergeHead(undefined, pageAt([2, 1]))).toEqual({ pages: [pageAt([2, 1])], pageParams: [undefined] });
  expect(mergeHead(load(down(20, 1), 3), pageAt([2, 1]))).toMatchObject({ pages: [pageAt([2, 1])] });
});

test('a poll with more than a page of new rows reads all pages again [S9.4]', () => {
  expect(mergeHead(load(down(20, 1), 3), pageAt(down(40, 1)))).toBeNull();
});

test('after any changes a polled list has no row twice and lacks none above its last row [S9.4]', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      fc.uniqueArray(fc.integer({ min: 61, max: 80 }), { maxLength: 6 }),
      fc.array(fc.nat(39), { maxLength: 3 }),
      (loaded, pages, added, removed) => {
        const old = loaded.toSorted((a, b) => b - a);
        const known = load(old, pages);
        const gone = new Set(removed.map((at) => old[at]));
        const now = [...added.toSorted((a, b) => b - a), ...old].filter((id) => !gone.has(id));
        const head = pageAt(now);
        const merged = mergeHead(known, head);
        if (!merged) return;
        const ids = idsOf(merged);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(ids.toSorted((a, b) => b - a));
        const last = ids.at(-1) ?? 0;
        expect(ids).toEqual(expect.arrayContaining(now.filter((id) => id >= last)));
        const next = merged.pages.at(-1)?.nextCursor;
        expect(next ? pageAt(now, next).rows[0]?.id : undefined).toBe(now.find((id) => id < last));
      },
    ),
    runs(2_000),
  );
});
