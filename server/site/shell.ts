import { createHash } from 'node:crypto';
import type { Drawn } from './first-paint.ts';
import { jsonScript } from './json-script.ts';

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)(?![^>]*type="application\/json")[^>]*>([\s\S]*?)<\/script>/g;

export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script]) =>
      `sha256-${createHash('sha256')
        .update(script ?? '')
        .digest('base64')}`,
  );
}

const PAGE_META = /<!--page-meta-->[\s\S]*?<!--\/page-meta-->/;
const EMPTY_ROOT = '<div id="root"></div>';
const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
const MODULE = /<link rel="modulepreload" crossorigin href="([^"]+)">/g;
const STARTER = '<script data-start="">';

interface Filling {
  head: string;
  /** Files of this page: below the shell's own stylesheet, which is the first to name the layers and so decides their order. */
  links?: string;
  drawn: Drawn | null;
  settings: unknown;
  data: object;
}

export function fillShell(shell: string, { head, links = '', drawn, settings, data }: Filling): string {
  const first = Object.keys(data).length > 0 ? jsonScript('application/json', data, 'page-data') : '';
  // Passed as functions, because `$&` in a project's name must not be a pattern.
  const page = shell
    .replace(PAGE_META, () => head)
    .replace('</head>', () => `${links}${jsonScript('application/json', settings, 'site-config')}${first}</head>`);
  return drawn ? putDrawing(page, drawn) : page;
}

/**
 * CSS, fonts and images then do not compete with scripts for bandwidth: the code is fetched when they are on the
 * screen.
 */
function putDrawing(page: string, { head, root }: Drawn): string {
  const entry = ENTRY.exec(page)?.[1];
  const files = [entry, ...[...page.matchAll(MODULE)].map(([, file]) => file)].join(' ');
  const later = entry
    ? page.replace(ENTRY, '').replaceAll(MODULE, '').replace(STARTER, `<script data-start="${files}">`)
    : page;
  return later.replace('</head>', () => `${head}</head>`).replace(EMPTY_ROOT, () => root);
}
