import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '#server/kit/config.ts';
import { termsText } from './texts.ts';

/** The hash that identifies a version of the terms: another text, age or list of regions is another version. */
export function termsVersion(config: Config): string {
  const { termsText: own, minAge, excludedRegions } = config;
  const text = own === null ? termsText(config) : (own.url ?? readFileSync(own.file, 'utf8'));
  const hash = createHash('sha256').update(JSON.stringify([text, minAge, excludedRegions]));
  return hash.digest('hex').slice(0, 16);
}
