// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EMPTY_FORM } from '../../payments/project-draft.ts';
import { keepDraft, readDraft } from './stored-draft.ts';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
const FORM = { ...EMPTY_FORM, name: 'Coral', category: 'DeFi', imageUrl: 'data:image/png;base64,AA' };

test('a typed form returns to the same user, also before the next sign-in, and to no other [S4.7]', () => {
  keepDraft(FORM, 7);
  expect(readDraft(7)).toEqual(FORM);
  // Not signed in again yet.
  expect(readDraft(undefined)).toEqual(FORM);
  expect(readDraft(8)).toEqual(EMPTY_FORM);
  keepDraft(FORM);
  expect(readDraft(8)).toEqual(FORM);
  keepDraft(null);
  expect(readDraft(7)).toEqual(EMPTY_FORM);
});

test.each(['null', '3', '"text"', 'true', '{'])('a stored draft that is %s is ignored', (kept) => {
  sessionStorage.setItem('snapswipe_project_draft', kept);
  expect(readDraft(7)).toEqual(EMPTY_FORM);
});

test('a draft leaves out a picture that is too large to store', () => {
  const fits = { ...FORM, imageUrl: 'x'.repeat(3_500_000) };
  keepDraft(fits, 7);
  expect(readDraft(7)).toEqual(fits);
  keepDraft({ ...fits, imageUrl: `${fits.imageUrl}x` }, 7);
  expect(readDraft(7)).toEqual({ ...FORM, imageUrl: '' });
});
