import { admin } from '#shared/contract/index.ts';
import { actorOf } from '#server/books/audit.ts';
import { kinds } from '#server/kit/cache/tags.ts';
import { route } from '#server/kit/http/declare.ts';
import { executeSql } from './execute.ts';

export const consoleRoutes = [
  route(
    admin.executeSql,
    { writes: kinds.map((kind) => `${kind}:*` as const) },
    ({ services, session, request, reply, body }) => {
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      const { sqlQuery, dryRun = false } = body;
      return executeSql(services, actorOf(session, request), { sqlQuery, dryRun, signal: gone.signal });
    },
  ),
];
