import { LEADERBOARD_FIRST_ROWS } from '#shared/constants.ts';
import type { PageData } from '#shared/first-paint.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { plural } from '#shared/plural.ts';
import {
  documentTitle,
  NOT_FOUND_TITLE,
  SCREEN_HEADS,
  screenNames,
  SCREENS,
  type ScreenName,
} from '#shared/screens.ts';
import { type ProjectRow, findProject } from '../projects/queries.ts';
import { loadProjectPage } from '../projects/verified-order.ts';
import { summarizeRecord } from '../record/summary.ts';
import { listProjects } from '../search/list.ts';
import type { Services } from '../services.ts';
import { loadTrust } from '../standing/queries.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './card-art.ts';
import { LEADERBOARD_CARD_PATH, SITE_CARD_PATH, projectCardPath } from './card-routes.ts';

export interface PageDescription {
  status: 200 | 404;
  /** Path of the page itself, without query and without a trailing slash. */
  path: string;
  /** Tags for <head>: title, description, canonical, OpenGraph … */
  head: string;
  /** The page's canonical address with the query of this request, when the request used another spelling of it. */
  redirectTo: string | null;
  /** Data that the page will read first; public, and empty where it reads nothing. */
  data: PageData;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

interface PageHead {
  /** Start of the title; '' for the product's default. */
  title: string;
  description?: string;
  /** Addresses that the page will request first. */
  read?: string;
  /** Path of the picture that shared links show. */
  card?: string;
  isIndexed: boolean;
}

const DESCRIPTION = 'Swipe crypto projects on Sui bullish or bearish, keep your streak and earn Snaps for every vote.';
const NOT_FOUND: PageHead = { title: NOT_FOUND_TITLE, isIndexed: false };

/** Screens with a picture of their own. */
const CARDS: Partial<Record<ScreenName, string>> = { leaderboard: LEADERBOARD_CARD_PATH };

/** The heads of the screens with a single address, by it; any other path is a project's page or a 404. */
const HEADS = new Map<string, PageHead>(
  screenNames.flatMap((name): Array<[string, PageHead]> => {
    const { path, title } = SCREENS[name];
    const { kind, ...said } = SCREEN_HEADS[name];
    const card = CARDS[name];
    if (title === null) return [];
    return [[path, { title, ...said, ...(card ? { card } : {}), isIndexed: kind !== 'private' }]];
  }),
);

/** Whether this is the one address of a page that is the same for all visitors. */
export const isScreen = (url: string): boolean => HEADS.has(url);

const tag = (kind: 'name' | 'property', key: string, content: string | number): string =>
  `<meta ${kind}="${key}" content="${escapeHtml(String(content))}">`;

/**
 * Lets the browser request data before the code that needs it has arrived, with the same requests as web/lib/api.ts.
 */
const preloadRead = (url: string): string =>
  `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${escapeHtml(url)}">`;
interface Head extends PageHead {
  /** Title of shared links; the page's title by default. */
  shareTitle?: string;
  canonical: string;
  origin: string;
}

function head({
  title,
  read,
  shareTitle = title,
  description = DESCRIPTION,
  card,
  isIndexed,
  canonical,
  origin,
}: Head): string {
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
  ].join('');
}

function describeProject(project: ProjectRow, origin: string): string {
  const total = project.bullish + project.bearish;
  const opinion = `${bullishPercentage(project.bullish, project.bearish)}% bullish, ${plural(total, 'vote')}`;
  return head({
    title: project.name,
    shareTitle: total === 0 ? project.name : `${project.name}: ${opinion}`,
    description: project.description,
    card: projectCardPath(project),
    canonical: `${origin}/projects/${project.slug}`,
    isIndexed: true,
    origin,
  });
}

/** The id or slug in the path of a project's page; null for a path that can name none. */
const projectRef = (path: string): string | null => /^\/projects\/([a-z0-9-]{1,80})$/.exec(path)?.[1] ?? null;

/** The id or slug in the path of a project's insights, whose page reveals nothing to others. */
const insightsRef = (path: string): string | null =>
  /^\/projects\/([a-z0-9-]{1,80})\/insights$/.exec(path)?.[1] ?? null;
const INSIGHTS: PageHead = { title: 'Insights', isIndexed: false };

/**
 * The canonical spelling of a path: lower case, no needless escapes, no trailing slash. The router in the browser
 * ignores case, escapes and that slash too; both must find the same page.
 */
function plainPath(address: string): string {
  let path = address;
  try {
    path = decodeURI(address);
  } catch {
    // A malformed escape names no page.
  }
  return path.toLowerCase().replace(/(?<=[^/])\/+$/, '');
}

/** Parameters of the leaderboard's address besides its default rows. */
const FILTERS = new Set(['order', 'category', 'search']);

/**
 * The leaderboard in its default order has its first rows in the HTML, and the page requests any other; /trust has its
 * figures.
 */
async function readFirst(services: Services, path: string, query: string): Promise<PageData> {
  if (path === SCREENS.trust.path) {
    const [figures, record] = await Promise.all([loadTrust(services), summarizeRecord(services)]);
    return { trust: { figures, record } };
  }
  const isUsual = ![...new URLSearchParams(query).keys()].some((name) => FILTERS.has(name));
  if (path !== SCREENS.leaderboard.path || !isUsual) return {};
  const { page } = await listProjects(services, { sort: 'bullish', limit: LEADERBOARD_FIRST_ROWS });
  return { leaderboard: page.rows };
}

/** Status, head tags, redirect and first data of the page at `url`, from the same rows that the page will show. */
export async function describePage(services: Services, url: string): Promise<PageDescription> {
  const { replica: db, config } = services;
  const origin = config.publicOrigin;
  const [address = '', query = ''] = (url.split('#')[0] ?? '').split('?');
  const path = plainPath(address);
  const redirectTo = (home: string): string | null => (home === address ? null : home + (query && `?${query}`));
  const describe = (page: PageHead, status: 200 | 404, data: PageData = {}): PageDescription => ({
    status,
    path,
    head: head({ ...page, canonical: `${origin}${status === 200 ? path : address}`, origin }),
    redirectTo: status === 200 ? redirectTo(path) : null,
    data,
  });
  const page = HEADS.get(path);
  if (page) return describe(page, 200, await readFirst(services, path, query));
  const ofOwner = insightsRef(path);
  const ref = ofOwner ?? projectRef(path);
  const project = ref ? await findProject(db, ref) : null;
  if (!project || project.hiddenAt) return describe(NOT_FOUND, 404);
  if (ofOwner) return { ...describe(INSIGHTS, 200), redirectTo: redirectTo(`/projects/${project.slug}/insights`) };
  return {
    status: 200,
    path,
    head: describeProject(project, origin),
    redirectTo: redirectTo(`/projects/${project.slug}`),
    data: { project: await loadProjectPage(services, project) },
  };
}
