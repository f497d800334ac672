/**
 * The key that was pressed, in lower case where it is a letter. A keyboard of another script sends its own letters: then the place of the
 * key decides.
 */
export function keyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = key.length === 1 && key > '\u007f' && code.startsWith('Key');
  if (isForeign) return code.slice('Key'.length).toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}
