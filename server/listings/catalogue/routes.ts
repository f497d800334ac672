import { catalogue } from '#shared/contract/index.ts';
import { actorOf } from '#server/books/audit.ts';
import { route } from '#server/kit/http/declare.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import { checkRows } from './check.ts';
import { beginImport, importCatalogue, undoCatalogue } from './import.ts';
import { listCatalogue, listImports } from './queries.ts';

export const catalogueRoutes = [
  route(catalogue.checkCatalogue, { writes: [] }, async ({ services, body }) => {
    const rows = await checkRows(services, services.replica, body.rows);
    return { rows: rows.map(({ errors, alike }) => ({ errors, alike })) };
  }),
  route(catalogue.beginImport, { writes: [] }, ({ services, session, request, body }) =>
    beginImport(services, actorOf(session, request), body.name),
  ),
  route(catalogue.importRows, { writes: ['projects:*', 'counts'] }, ({ services, session, params, body }) =>
    importCatalogue(services, session, params.id, body),
  ),
  route(catalogue.undoImport, { writes: ['projects:*'] }, ({ services, session, request, params, body }) =>
    undoCatalogue(services, actorOf(session, request), params.id, body),
  ),
  route(catalogue.listImports, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listImports(services.db, query)),
  ),
  route(catalogue.listCatalogue, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listCatalogue(services.db, query)),
  ),
];
