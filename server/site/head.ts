import { isolated } from '#shared/text/isolated.ts';
import { shareTitle } from '#shared/figures/leading-share.ts';
import {
  documentTitle,
  NOT_FOUND_TITLE,
  SCREEN_HEADS,
  screenNames,
  SCREENS,
  type ScreenName,
} from '#shared/site/screens.ts';
import { escapeHtml } from '#shared/text/escape.ts';
import { structuredData } from '#shared/site/structured-data.ts';
import { listingOf, type ProjectRow, votesOf } from '#server/listings/projects/queries.ts';
import { shownTexts } from '#server/listings/projects/withheld.ts';
import { jsonScript } from './json-script.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './card-art.ts';
import { LEADERBOARD_CARD_PATH, SITE_CARD_PATH, projectCardPath } from './card-routes.ts';

export interface PageHead {
  title: string;
  shareTitle?: string;
  description?: string;
  read?: string;
  card?: string;
  /** JSON-LD, without the address of the picture. */
  about?: (picture: string) => object;
  isIndexed: boolean;
}

const DESCRIPTION = 'Swipe crypto projects on Sui bullish or bearish, keep your streak and earn Snaps for every vote.';
export const NOT_FOUND: PageHead = { title: NOT_FOUND_TITLE, isIndexed: false };
export const INSIGHTS: PageHead = { title: 'Insights', isIndexed: false };

const CARDS: Partial<Record<ScreenName, string>> = { leaderboard: LEADERBOARD_CARD_PATH };

/** The heads of the screens with a single address, by it; any other path is a project's page or a 404. */
export const HEADS = new Map<string, PageHead & { screen: ScreenName }>(
  screenNames.flatMap((screen) => {
    const { path, title } = SCREENS[screen];
    const head = SCREEN_HEADS[screen];
    const card = CARDS[screen];
    if (title === null) return [];
    return [[path, { screen, title, ...head, ...(card ? { card } : {}), isIndexed: head !== undefined }]];
  }),
);

const tag = (kind: 'name' | 'property', key: string, content: string | number): string =>
  `<meta ${kind}="${key}" content="${escapeHtml(String(content))}">`;

/**
 * Lets the browser request data before the code that needs it has arrived, with the same requests as web/lib/api.ts.
 */
const preloadRead = (url: string): string =>
  `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${escapeHtml(url)}">`;

export function writeHead(
  {
    title,
    read,
    shareTitle = title || documentTitle(title),
    description = DESCRIPTION,
    card,
    about,
    isIndexed,
  }: PageHead,
  canonical: string,
  origin: string,
): string {
  const picture = `${origin}${card ?? SITE_CARD_PATH}`;
  return [
    `<title>${escapeHtml(documentTitle(title))}</title>`,
    tag('name', 'description', description),
    ...(isIndexed ? [`<link rel="canonical" href="${escapeHtml(canonical)}">`] : [tag('name', 'robots', 'noindex')]),
    tag('property', 'og:type', 'website'),
    tag('property', 'og:site_name', 'Snapswipe'),
    tag('property', 'og:title', shareTitle),
    tag('property', 'og:description', description),
    tag('property', 'og:url', canonical),
    tag('property', 'og:image', picture),
    tag('property', 'og:image:type', 'image/jpeg'),
    tag('property', 'og:image:width', CARD_WIDTH),
    tag('property', 'og:image:height', CARD_HEIGHT),
    tag('property', 'og:image:alt', shareTitle),
    tag('name', 'twitter:card', 'summary_large_image'),
    tag('name', 'twitter:title', shareTitle),
    tag('name', 'twitter:description', description),
    tag('name', 'twitter:image', picture),
    ...(read ? [preloadRead(read)] : []),
    ...(about ? [jsonScript('application/ld+json', about(picture))] : []),
  ].join('');
}

export function projectHead(project: ProjectRow): PageHead {
  const { votes, verified } = votesOf(project);
  const shown = { ...project, ...shownTexts(project) };
  return {
    title: isolated(project.name),
    shareTitle: shareTitle(project.name, votes, verified),
    description: shown.description,
    card: projectCardPath(project),
    about: (picture) => structuredData({ ...shown, verified, listing: listingOf(project) }, picture),
    isIndexed: true,
  };
}
