import path from 'node:path';

export const MODULE_SUFFIX = '.module.css';

/** Without a hash, so that browser and first paint agree; css-isolation.ts checks that names are unique. */
export function scopedName(name: string, file: string): string {
  return `${path.basename(file.replace(/[?#].*$/, ''), MODULE_SUFFIX)}_${name}`;
}
