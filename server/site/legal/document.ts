import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { FOOTER_LINKS } from '#shared/site/footer-links.ts';
import { escapeMarkup } from '#shared/text/escape.ts';
import { paletteCss } from '#shared/badge/palette.ts';
import { type CachedResponse, toCachedText } from '#server/kit/cache/responses.ts';

/*
 * Documents of text with the header, the theme and the footer of every page. They need no script: the one they have only follows and
 * changes the choice of theme.
 */

const FONTS = { figtree: 'Figtree', 'bricolage-grotesque': 'Bricolage' };

async function fontFaces(distDir: string | null): Promise<string> {
  const files = distDir === null ? [] : await readdir(path.join(distDir, 'assets')).catch(() => []);
  return Object.entries(FONTS)
    .flatMap(([start, family]) => {
      const file = files.find((name) => name.startsWith(`${start}-`) && name.endsWith('.woff2'));
      return file
        ? `@font-face{font-family:${family};src:url(/assets/${file}) format("woff2");font-weight:200 900;font-display:swap}`
        : [];
    })
    .join('');
}

const STYLE = `${paletteCss('page')}*{box-sizing:border-box}
body{margin:0;font:17px/1.6 Figtree,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;color:var(--text);background:var(--page)}
.page{max-width:84rem;margin:0 auto;padding:0 max(1rem,env(safe-area-inset-left));display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.5rem}
header{min-height:5rem}.right{margin-left:auto}.right svg{width:21px;height:21px}[data-theme=dark] .moon,[data-theme=light] .sun{display:none}
main{max-width:84rem;margin:0 auto;padding:0 max(1rem,env(safe-area-inset-left)) 4rem}main>*{max-width:46rem}
h1,h2,h3,.logo{font-family:Bricolage,Figtree,system-ui,sans-serif;letter-spacing:-.03em}
h1{font-size:clamp(2.2rem,6vw,3rem);line-height:1.1;margin:1rem 0}h2{margin-top:2.2rem;font-size:1.4rem;line-height:1.25}
a{color:var(--accent);text-underline-offset:4px}:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
nav{display:flex;flex-wrap:wrap}nav a,.back,.logo,button{display:inline-flex;align-items:center;gap:.5rem;min-height:44px;padding:0 .75rem;border-radius:2rem;color:var(--muted);font-weight:600;text-decoration:none}
nav a:hover,.back:hover,button:hover{background:var(--raised);color:var(--text)}
.back{margin-left:-.75rem}.logo{padding:0;color:var(--text);font-size:min(1.5rem,8vw);font-weight:800}.logo svg{width:1.9em;height:1.9em}
button{border:0;background:none;font:inherit;font-weight:600;cursor:pointer}[hidden]{display:none}
footer{border-top:1px solid var(--line);background:var(--deep)}footer nav{margin:0 -.75rem}header nav{display:none}footer .page{justify-content:space-between;padding-block:2rem}footer p{margin:0;color:var(--muted);font-size:.9rem}footer .logo{font-size:1.15rem}
p,li,td,th,pre{overflow-wrap:anywhere}pre{white-space:pre-wrap;font-size:.85rem}li{margin:.35rem 0}
table{width:100%;border-collapse:collapse;font-size:.95rem}th,td{padding:.55rem .75rem .55rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
@media(min-width:48rem){header nav{display:flex}header{min-height:8rem}.page,main{padding-inline:2rem}header .logo{font-size:1.9rem}}
`;

const SCRIPT = `(function(){var root=document.documentElement,dark=matchMedia('(prefers-color-scheme: dark)'),saved=null;
try{saved=localStorage.getItem('theme')}catch(e){}
function show(theme){root.dataset.theme=theme;var button=document.querySelector('button');
if(button){button.hidden=false;button.title=button.ariaLabel='Switch to '+(theme==='dark'?'light':'dark')+' theme'}}
show(saved==='light'||saved==='dark'?saved:dark.matches?'dark':'light');
addEventListener('DOMContentLoaded',function(){show(root.dataset.theme);document.querySelector('button').onclick=function(){
var next=root.dataset.theme==='dark'?'light':'dark';try{localStorage.setItem('theme',next)}catch(e){}show(next)}})})()`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

const LOGO =
  '<svg viewBox="0 0 48 48" aria-hidden="true"><rect x="7" y="9" width="24" height="32" rx="6" transform="rotate(-16 19 25)" fill="var(--red)"/><rect x="16" y="7" width="25" height="34" rx="6.5" transform="rotate(9 28 24)" fill="var(--page)"/><rect x="17.5" y="8.5" width="22" height="31" rx="5" transform="rotate(9 28 24)" fill="var(--accent)"/><path d="m21.5 29.5 5-6 4 3.5 5.5-8.5m-4.6-.6 4.8.3 1 4.8" fill="none" stroke="var(--onaccent)" stroke-width="2.8" stroke-linecap="round" stroke-linejoin="round"/></svg>snapswipe';

const iconOf = (name: string, lines: string): string =>
  `<svg class="${name}" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${lines}"/></svg>`;
const THEME_ICONS =
  iconOf('moon', 'M21 13a8.5 8.5 0 1 1-10-10 6.6 6.6 0 0 0 10 10Z') +
  iconOf(
    'sun',
    'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM12 2v2m0 16v2M5 5l1.4 1.4m11.2 11.2L19 19M2 12h2m16 0h2M5 19l1.4-1.4M17.6 6.4 19 5',
  );

interface OutsideLinks {
  chatUrl: string | null;
  socialUrl: string | null;
}

function footerOf({ chatUrl, socialUrl }: OutsideLinks): string {
  const outside = [
    [chatUrl, 'Chat group'],
    [socialUrl, 'Follow us'],
  ].flatMap(([url, name]) =>
    url && /^https?:/.test(url)
      ? `<a href="${escapeMarkup(url)}" target="_blank" rel="noopener nofollow ugc">${name}</a>`
      : [],
  );
  const links = FOOTER_LINKS.map(([href, name]) => `<a href="${href}">${name}</a>`);
  return `<footer><div class="page"><div><span class="logo">${LOGO}</span><p>Votes are opinions, not financial advice.</p></div><nav aria-label="Footer">${[...links, ...outside].join('')}</nav></div></footer>`;
}

export type DrawDocument = (title: string, html: string) => CachedResponse;

export async function createDocuments(distDir: string | null, outside: OutsideLinks): Promise<DrawDocument> {
  const style = (await fontFaces(distDir)) + STYLE;
  const headers = {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': `default-src 'none'; img-src 'self'; font-src 'self'; style-src 'sha256-${sha256(style)}'; script-src 'sha256-${sha256(SCRIPT)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
  const footer = footerOf(outside);
  return (title, html) =>
    toCachedText(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><title>${title} · Snapswipe</title><style>${style}</style><script>${SCRIPT}</script></head><body><header class="page"><a class="logo" href="/" aria-label="Snapswipe, home">${LOGO}</a><nav aria-label="Main"><a href="/leaderboard">Leaderboard</a></nav><button class="right" type="button" hidden>${THEME_ICONS}</button></header><main><a class="back" href="/">← Back to the cards</a><h1>${title}</h1>${html}</main>${footer}</body></html>`,
      'text/html; charset=utf-8',
      headers,
    );
}
