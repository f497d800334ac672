/** uPlot formats numbers in the browser's language when it loads, and throws for one that Intl does not know (WebKit under LANG=C). */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
