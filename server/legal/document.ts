import { createHash } from 'node:crypto';
import { paletteCss } from '../badge/palette.ts';
import { type CachedResponse, toCachedText } from '../cache/responses.ts';

/** Documents without scripts, in the reader's color scheme. */

const STYLE = `${paletteCss('auto')}*{box-sizing:border-box}
body{margin:0;font:17px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;color:var(--text);background:var(--surface)}
header,main{max-width:46rem;margin:0 auto;padding:1.25rem}
header{display:flex;justify-content:space-between;border-bottom:1px solid var(--line)}
a{color:var(--accent)}header a{display:inline-block;padding:.65rem .25rem;min-height:44px}
a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
h1{font-size:2.2rem;line-height:1.15}h2{margin-top:2.2rem;font-size:1.3rem}
p,li,td,th,pre{overflow-wrap:anywhere}pre{white-space:pre-wrap;font-size:.85rem}li{margin:.35rem 0}
table{width:100%;border-collapse:collapse;font-size:.95rem}th,td{padding:.55rem .75rem .55rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

/** A page of text under a title. */
export function drawDocument(title: string, html: string): CachedResponse {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="/icons/icon-32.png"><title>${title} · Snapswipe</title><style>${STYLE}</style></head><body><header><a href="/">Snapswipe</a><nav><a href="/privacy">Privacy</a> <a href="/terms">Terms</a></nav></header><main><h1>${title}</h1>${html}</main></body></html>`;
  return toCachedText(page, 'text/html; charset=utf-8', HEADERS);
}
