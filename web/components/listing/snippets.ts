import { isolated } from '#shared/text/isolated.ts';
import { FROM_PARAM } from '#shared/listings/events.ts';

interface Listed {
  slug: string;
  name: string;
}

export type SnippetTheme = 'auto' | 'light' | 'dark';

export const BADGE_SIZE = { width: 360, height: 72 } as const;
export const EMBED_SIZE = { width: 360, height: 260 } as const;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
const escapeMarkdown = (text: string): string =>
  escapeHtml(text).replace(/[\\`*_{}[\]()#+!|~-]/g, (char) => `\\${char}`);

const query = (theme: SnippetTheme): string => (theme === 'auto' ? '' : `?theme=${theme}`);
export const badgePath = ({ slug }: Listed, theme: SnippetTheme): string => `/badge/${slug}.svg${query(theme)}`;
export const embedPath = ({ slug }: Listed, theme: SnippetTheme): string => `/embed/${slug}${query(theme)}`;

export const sharedLink = ({ slug }: Pick<Listed, 'slug'>, origin: string): string =>
  `${origin}/projects/${slug}?${FROM_PARAM}=link`;

const titleOf = ({ name }: Pick<Listed, 'name'>): string => `${isolated(name)} on Snapswipe`;
const badgeLink = ({ slug }: Listed, origin: string): string => `${origin}/projects/${slug}?${FROM_PARAM}=badge`;

export function badgeHtml(project: Listed, origin: string, theme: SnippetTheme): string {
  const { width, height } = BADGE_SIZE;
  const image = `<img src="${origin}${badgePath(project, theme)}" alt="${escapeHtml(titleOf(project))}" width="${width}" height="${height}">`;
  return `<a href="${badgeLink(project, origin)}">${image}</a>`;
}

export const badgeMarkdown = (project: Listed, origin: string, theme: SnippetTheme): string =>
  `[![${escapeMarkdown(titleOf(project))}](${origin}${badgePath(project, theme)})](${badgeLink(project, origin)})`;

/** The badge of the listing that the look-up finds for a coin, whatever its address becomes (R74). */
export function coinBadgeHtml(
  { name, coinType }: { name: string; coinType: string },
  origin: string,
  theme: SnippetTheme,
): string {
  const { width, height } = BADGE_SIZE;
  const coin = encodeURI(coinType);
  const image = `<img src="${origin}/badge/coin/${coin}.svg${query(theme)}" alt="${escapeHtml(titleOf({ name }))}" width="${width}" height="${height}">`;
  return `<a href="${origin}/coins/${coin}">${image}</a>`;
}

export function embedHtml(project: Listed, origin: string, theme: SnippetTheme): string {
  const { width, height } = EMBED_SIZE;
  return `<iframe src="${origin}${embedPath(project, theme)}" title="${escapeHtml(titleOf(project))}" width="${width}" height="${height}" loading="lazy" style="border:0;border-radius:12px"></iframe>`;
}
