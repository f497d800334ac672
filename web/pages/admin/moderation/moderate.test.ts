// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { queries, queryClient } from '../../../lib/queries.ts';
import { useTestPage } from '../../../testing/screen.tsx';
import { adminLists, adminQueries } from '../admin-queries.ts';
import { refreshModerated, who } from './moderate.ts';

useTestPage();

test('what was moderated is read again wherever it is listed, and nothing else of the panel', () => {
  const touched = [
    adminLists.reports().queryKey,
    queries.previewProjects().queryKey,
    queries.project('coral').queryKey,
    queries.feed(7).queryKey,
    queries.topProjects().queryKey,
    queries.reviews(1).queryKey,
    ['/api/v1/projects', 'bullish'],
  ];
  const untouched = [adminQueries.paused().queryKey, adminQueries.people().queryKey, queries.stats(7).queryKey];
  for (const queryKey of [...touched, ...untouched]) queryClient.setQueryData(queryKey, {});
  refreshModerated();
  const isOld = (queryKey: readonly unknown[]) => queryClient.getQueryState(queryKey)?.isInvalidated;
  expect(touched.map(isOld)).toEqual(touched.map(() => true));
  expect(untouched.map(isOld)).toEqual(untouched.map(() => false));
});

test('a username is shown as it is, an address shortened', () => {
  expect(who('ana')).toBe('ana');
  expect(who(`0x1234${'0'.repeat(56)}cdef`)).toBe('0x1234...cdef');
});
