/** The pressed key, letters in lower case. A keyboard with another script sends its own letters; then the position of the key decides. */
export function keyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = key.length === 1 && key > '\u007f' && code.startsWith('Key');
  if (isForeign) return code.slice('Key'.length).toLowerCase();
  return key.length === 1 ? key.toLowerCase() : key;
}
