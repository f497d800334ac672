/**
 * uPlot formats numbers in the browser's language when it loads, and throws for one that Intl does not know (WebKit under LANG=C). Called
 * before its chunk is fetched: an import in the chunk itself would run after uPlot.
 */
export function ensureKnownLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
}
