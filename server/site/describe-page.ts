import type { PageData } from '#shared/site/first-paint.ts';
import type { ScreenName } from '#shared/site/screens.ts';
import { type FoundProject, findProject } from '#server/listings/projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { FIRST_DATA } from './first-data.ts';
import { HEADS, INSIGHTS, NOT_FOUND, type PageHead, projectHead, writeHead } from './head.ts';

interface PageDescription {
  status: 200 | 404;
  path: string;
  search: string;
  screen: ScreenName | null;
  head: string;
  redirectTo: string | null;
  data: PageData;
}

/** The id or slug in the path of a project's page or of its insights, whose page reveals nothing to others. */
const PROJECT_PATH = /^\/projects\/([a-z0-9-]{1,80})(\/insights)?$/;

/**
 * The canonical spelling of a path: lower case, no needless escapes, no trailing slash. The router in the browser
 * ignores case, escapes and that slash too; both must find the same page.
 */
function plainPath(address: string): string {
  let path = address;
  try {
    path = decodeURI(address);
  } catch {}
  return path.toLowerCase().replace(/(?<=[^/])\/+$/, '');
}

export async function describePage(services: Services, url: string, mayBeOwn = false): Promise<PageDescription> {
  const { replica: db, config } = services;
  const origin = config.publicOrigin;
  const [address = '', query = ''] = (url.split('#')[0] ?? '').split('?');
  const path = plainPath(address);
  const dataOf = async (screen: ScreenName, project?: FoundProject): Promise<PageData> => {
    const { forAll, isForVisitors = false } = FIRST_DATA[screen] ?? {};
    return (mayBeOwn && isForVisitors ? null : await forAll?.(services, query, project)) ?? {};
  };
  const describe = async (
    page: PageHead,
    screen: ScreenName | null,
    home = path,
    project?: FoundProject,
  ): Promise<PageDescription> => ({
    status: screen ? 200 : 404,
    path,
    search: query,
    screen,
    head: writeHead(page, `${origin}${screen ? home : address}`, origin),
    redirectTo: screen && home !== address ? home + (query && `?${query}`) : null,
    data: screen ? await dataOf(screen, project) : {},
  });
  const page = HEADS.get(path);
  if (page) return describe(page, page.screen);
  const [, ref, insights = ''] = PROJECT_PATH.exec(path) ?? [];
  const project = ref === undefined ? null : await findProject(db, ref);
  if (!project || project.hiddenAt) return describe(NOT_FOUND, null);
  const home = `/projects/${project.slug}${insights}`;
  return insights ? describe(INSIGHTS, 'insights', home) : describe(projectHead(project), 'project', home, project);
}
