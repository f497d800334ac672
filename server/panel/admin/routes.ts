import { admin, people } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { actorOf, listAudit } from '#server/books/audit.ts';
import { adminTokenOf } from './gate.ts';
import { login, logout } from './login.ts';
import { grantRole, listPeople, renewPassword, revokeRole } from './people.ts';
import { readSetting, writeSetting } from './settings.ts';

export const adminRoutes = [
  route(admin.adminLogin, { writes: [] }, ({ services, session, request, body }) =>
    login(services, session, actorOf(session, request), body),
  ),
  route(admin.adminLogout, { writes: [] }, ({ services, session, request }) =>
    logout(services, session, actorOf(session, request), adminTokenOf(request)),
  ),
  route(people.listPeople, { cost: 'list' }, ({ services }) => listPeople(services.db)),
  route(people.grantRole, { writes: [] }, ({ services, session, request, body }) =>
    grantRole(services, actorOf(session, request), body),
  ),
  route(people.renewPassword, { writes: [] }, ({ services, session, request, params, body }) =>
    renewPassword(services, actorOf(session, request), { ...params, ...body }),
  ),
  route(people.revokeRole, { writes: [] }, ({ services, session, request, params, body }) =>
    revokeRole(services, actorOf(session, request), { ...params, ...body }),
  ),
  route(admin.getConfig, { cost: 'list' }, ({ services, params }) => readSetting(services.db, params.key)),
  route(admin.setConfig, { writes: [] }, ({ services, session, request, body }) =>
    writeSetting(services.db, actorOf(session, request), body),
  ),
  route(admin.listAudit, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listAudit(services.db, query)),
  ),
];
