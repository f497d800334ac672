import { escapeMarkup } from '../text/escape.ts';
import { type Listing, listingText } from '../listings/ownership.ts';
import { type BadgeFacts, type Figures, figuresOf, linesOf, sentenceOf } from './figures.ts';
import { paletteCss, type Theme } from './palette.ts';

const STYLE = `*{box-sizing:border-box;margin:0}
body{font:15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;color:var(--text);background:var(--surface)}
a{display:grid;grid-template-columns:84px minmax(0,1fr);gap:14px;min-height:100vh;padding:14px;border:1px solid var(--line);border-radius:12px;color:inherit;text-decoration:none;align-content:center}
a:focus-visible{outline:3px solid var(--accent);outline-offset:-4px}
img{width:84px;height:112px;object-fit:cover;border-radius:10px;background:var(--raised)}
.c{display:grid;gap:4px;align-content:center;min-width:0}
h1{font-size:17px;line-height:1.25;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}h1.c{white-space:normal}
.d{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;overflow-wrap:anywhere;font-size:13px;color:var(--muted)}
.s{font-weight:700;font-size:19px}.s small{font-size:13px}
.green{color:var(--green)}.yellow{color:var(--yellow)}.red{color:var(--red)}.muted{color:var(--muted)}
.f{font-size:12px;color:var(--muted)}.o{font-size:13px;font-weight:600;color:var(--accent)}
svg{display:block;width:100%;height:6px;border-radius:3px}`;

export const embedStyle = (theme: Theme): string => paletteCss(theme) + STYLE;

const page = (title: string, theme: Theme, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}"><meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg"><title>${escapeMarkup(title)}</title><style>${embedStyle(theme)}</style></head><body><main>${body}</main></body></html>`;

function bar({ percentage, isExpired }: Figures): string {
  if (percentage === null || isExpired) return '';
  return `<svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="6" fill="var(--red)"/><rect width="${percentage}" height="6" fill="var(--green)"/></svg>`;
}

export interface Embedded {
  slug: string;
  name: string;
  description: string;
  imageUrl: string;
  listing: Listing;
}

export function drawEmbed(project: Embedded, facts: BadgeFacts, theme: Theme): string {
  const { name, slug, imageUrl, listing } = project;
  const figures = figuresOf(facts);
  const { share, label, tone } = figures;
  const lines = [...linesOf(figures, figures.changed), listingText(listing)].map((line) => escapeMarkup(line));
  // A change of identity is shown instead of the description.
  const description =
    figures.changed === null ? `<p class="d" dir="auto">${escapeMarkup(project.description)}</p>` : '';
  const body = `<a href="/projects/${slug}?from=embed" data-share="${figures.stated}" target="_blank" rel="noopener"><img src="${escapeMarkup(imageUrl)}" alt="" width="84" height="112"><div class="c"><h1 dir="auto">${escapeMarkup(name)}</h1>${description}<p class="s ${tone}">${share} <small>${label}</small></p>${bar(figures)}<p class="f">${lines.join('<br>')}</p><p class="o">See it on Snapswipe<span aria-hidden="true"> ↗</span></p></div></a>`;
  return page(sentenceOf(name, figures), theme, body);
}

export const drawMissing = (theme: Theme): string =>
  page(
    'Not listed on Snapswipe',
    theme,
    '<a href="/" target="_blank" rel="noopener"><div></div><h1 class="c">This project is not listed on Snapswipe.</h1></a>',
  );
