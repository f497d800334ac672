import { createHash } from 'node:crypto';
import { embedStyle } from '#shared/badge/embed.ts';
import type { Theme } from '#shared/badge/palette.ts';

/** Policy of embedded cards: no script runs in one, and any site may show it. */
export function embedPolicy(theme: Theme): string {
  const hash = createHash('sha256').update(embedStyle(theme)).digest('base64');
  return `default-src 'none'; img-src 'self'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors *`;
}
