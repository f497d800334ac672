import { versions } from '#shared/contract/index.ts';
import { mayCall } from '#shared/people/roles.ts';
import { actorOf } from '#server/books/audit.ts';
import { route } from '#server/kit/http/declare.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { findProject } from '../projects/queries.ts';
import { moderateVersion } from './moderate.ts';
import { listVersions } from './queries.ts';

export const versionRoutes = [
  route(versions.listVersions, { cost: 'list' }, async ({ services, session, params, query, reply }) => {
    const row = await findProject(services.replica, params.id);
    const mayHide = session?.role ? mayCall(session.role, 'moderateVersion') : false;
    if (!row || (row.hiddenAt && !mayHide && session?.walletAddress !== row.submittedBy))
      throw notFound('project_not_found', 'Project not found');
    return sendPage(reply, await listVersions(services.replica, row, query));
  }),
  route(versions.moderateVersion, { writes: ['projects:*'] }, ({ services, session, request, params, body }) =>
    moderateVersion(services, actorOf(session, request), params, body),
  ),
];
