import { useEffect } from 'react';
import { PRODUCT } from '#shared/constants.ts';
import { createStore, useStore } from './external-store.ts';
import { readStored, writeStored } from './storage.ts';

/** The pressed key, letters in lower case. A keyboard with another script sends its own letters; then the position of the key decides. */
export function keyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = key.length === 1 && key > '\u007f' && code.startsWith('Key');
  if (isForeign) return code.slice('Key'.length).toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}

export const LETTER_KEYS_KEY = `${PRODUCT}_letter_keys`;
const OFF = 'off';

/** Dictation sends letters where no field has the focus, so that users can switch the shortcuts of one letter off (WCAG 2.1.4). */
const letterKeys = createStore(true);
let isRead = false;

function readLetterKeys(): void {
  isRead = true;
  letterKeys.set(readStored(LETTER_KEYS_KEY) !== OFF);
}

export function switchLetterKeys(areOn: boolean): void {
  letterKeys.set(areOn);
  writeStored(LETTER_KEYS_KEY, areOn ? null : OFF);
}

export function useLetterKeys(): boolean {
  useEffect(() => {
    // Once: where nothing can be stored, the choice lasts as long as the page.
    if (!isRead) readLetterKeys();
    const onStorage = ({ key }: StorageEvent) => {
      if (key === LETTER_KEYS_KEY) readLetterKeys();
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, []);
  return useStore(letterKeys, () => true);
}

/** Like `keyOf`, and empty for a letter while letters are switched off. */
export function shortcutOf(event: KeyboardEvent): string {
  const key = keyOf(event);
  return key.length === 1 && !letterKeys.get() ? '' : key;
}
