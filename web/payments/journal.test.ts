// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { PRODUCT } from '#shared/constants.ts';
import { openOrderOf } from '../testing/made-up.ts';
import { journal, type OpenOrder } from './journal.ts';

const KEY = `${PRODUCT}_open_payments`;
const entry = (paymentId: string, changes: Partial<OpenOrder> = {}) => openOrderOf({ ...changes, paymentId });
const stored = (): unknown => JSON.parse(localStorage.getItem(KEY) ?? 'null');
const ids = () => journal.get().map(({ paymentId }) => paymentId);
const signalOtherTab = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }));

beforeEach(() => {
  localStorage.clear();
  journal.reload();
});

test('a journal entry is stored, replaced by a newer one, and removed', () => {
  journal.put(entry('a'));
  journal.put(entry('b', { userId: 8 }));
  journal.put(entry('a', { phase: 'looking', proof: null }));
  expect(ids()).toEqual(['b', 'a']);
  expect(stored()).toEqual(journal.get());
  expect(journal.of(7)).toEqual([entry('a', { phase: 'looking', proof: null })]);
  journal.remove('a');
  journal.remove('b');
  expect(journal.get()).toEqual([]);
  expect(localStorage.getItem(KEY)).toBeNull();
});

test('a journal change starts from what another tab stored', () => {
  journal.put(entry('a'));
  localStorage.setItem(KEY, JSON.stringify([entry('other')]));
  journal.put(entry('b'));
  expect(ids()).toEqual(['other', 'b']);
});

test('a journal change by another tab is read at once', () => {
  localStorage.setItem(KEY, JSON.stringify([entry('other')]));
  signalOtherTab('theme');
  expect(ids()).toEqual([]);
  signalOtherTab(KEY);
  expect(ids()).toEqual(['other']);
  localStorage.clear();
  signalOtherTab(null);
  expect(ids()).toEqual([]);
});

test('the journal drops invalid entries, and keeps a payment with an unknown phase', () => {
  const list = [null, { paymentId: 'nobody' }, { userId: 7 }, entry('odd', { phase: 'strange' as 'unsent' })];
  localStorage.setItem(
    KEY,
    JSON.stringify([
      ...list,
      ...(['unknown', 'unsent', 'looking', 'received'] as const).map((phase) => entry(phase, { phase })),
    ]),
  );
  journal.reload();
  expect(journal.get().map(({ paymentId, phase }) => `${paymentId} ${phase}`)).toEqual([
    'odd unsent',
    'unknown unknown',
    'unsent unsent',
    'looking looking',
    'received received',
  ]);
  for (const broken of ['{', '{}', '3']) {
    localStorage.setItem(KEY, broken);
    journal.reload();
    expect(journal.get()).toEqual([]);
  }
});
