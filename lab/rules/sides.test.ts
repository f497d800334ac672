/** Readers of Arabic and Hebrew have the page turned round: their lines start on the right. */
import { expect, test } from 'vitest';
import { read, sources } from './sources.ts';

/** Sides that stay: those of a swipe, and middles. */
const FIXED: readonly string[] = [
  'web/deck/project-card.tsx: left-4',
  'web/deck/project-card.tsx: right-4',
  'web/ui/dialog.tsx: left-1/2',
  'web/ui/tabs.tsx: left-0',
  'web/voting/congratulation.tsx: left-1/2',
  'web/voting/reward-popup.tsx: -ml-3',
  'web/voting/reward-popup.tsx: left-1/2',
  'web/voting/reward-popup.tsx: left-1/2',
  'web/pages/home/listed-dialog.tsx: left-1/2',
];
const PATTERN =
  /(?<=[\s"'`:])(?:-?(?:[mp][lr]|left|right)-[\w/.[\]]+|text-(?:left|right)\b|border-[lr]\b|rounded-[tb]?[lr]\b)/g;

test('styles name the start and the end of a line, not left and right', async () => {
  const files = (await sources()).filter((file) => /^web\/.+\.tsx$/.test(file) && !file.endsWith('.test.tsx'));
  const found = files.flatMap((file) => [...read(file).matchAll(PATTERN)].map(([words]) => `${file}: ${words}`));
  expect(found.sort()).toEqual([...FIXED].sort());
});
