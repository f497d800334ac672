import { overview } from '#shared/contract/index.ts';
import { implement } from '../http/declare.ts';
import { readOverview } from './read.ts';

export const overviewRoutes = [
  implement(overview.getOverview, ({ services, session }) => readOverview(services, session.role ?? 'moderator')),
];
