import type { FastifyRequest } from 'fastify';
import type { Db } from '#db/client.ts';
import type { AuditEntry } from '#shared/contract/admin.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import type { SessionUser } from '#server/kit/http/session.ts';

const DETAIL_MAX_CHARS = 10_000;

export interface Actor {
  actor: string;
  ip: string | null;
}

/** The server itself, where no person acts. */
export const SERVER: Actor = { actor: 'server', ip: null };

export const actorOf = (session: SessionUser, request: FastifyRequest): Actor => ({
  actor: session.walletAddress,
  ip: request.ip ?? null,
});

interface AuditLine {
  action: string;
  detail: string;
  outcome: string;
  rowCount?: number | null;
}

const WALLET = /0x[0-9a-f]{64}/gi;

/** Lines are permanent: none may lead to the wallet of a deleted account (R67). */
export const withoutWallets = (text: string): string => text.replaceAll(WALLET, '0x…');

export async function writeAudit(db: Db, { actor, ip }: Actor, line: AuditLine): Promise<void> {
  const { detail } = line;
  const cut = detail.length > DETAIL_MAX_CHARS;
  await db
    .insertInto('auditLog')
    .values({
      actor,
      ip,
      action: line.action,
      // PostgreSQL's text cannot hold NUL.
      detail: (cut ? `${detail.slice(0, DETAIL_MAX_CHARS)}… (${detail.length} characters)` : detail)
        .replaceAll('\u0000', '\uFFFD')
        .toWellFormed(),
      outcome: line.outcome.slice(0, 500).replaceAll('\u0000', '\uFFFD').toWellFormed(),
      rowCount: line.rowCount ?? null,
    })
    .execute();
}

export async function listAudit(
  db: Db,
  page: PageQuery & { q?: string | undefined; actor?: string | undefined },
): Promise<Page<AuditEntry>> {
  const { actor } = page;
  let found = db.selectFrom('auditLog').$if(actor !== undefined, (query) => query.where('actor', '=', actor ?? ''));
  for (const word of (page.q ?? '').split(/\s+/).filter(Boolean)) {
    const pattern = likePattern(word);
    found = found.where((eb) =>
      eb.or((['actor', 'action', 'detail', 'ip', 'outcome'] as const).map((column) => eb(column, 'ilike', pattern))),
    );
  }
  return mapPage(await listById(db, { name: 'audit', page, rows: found.selectAll() }), (row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** Takes % and _ literally. */
export const likePattern = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;
