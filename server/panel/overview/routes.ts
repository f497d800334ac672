import { overview } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { readOverview } from './read.ts';

export const overviewRoutes = [
  route(overview.getOverview, { cost: 'list' }, ({ services, session }) =>
    readOverview(services, session.role ?? 'moderator'),
  ),
];
