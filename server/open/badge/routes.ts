import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { drawBadge } from '#shared/badge/badge.ts';
import { drawEmbed, drawMissing, type Embedded } from '#shared/badge/embed.ts';
import { type Theme, themeOf } from '#shared/badge/palette.ts';
import type { EventSource } from '#shared/listings/events.ts';
import type { Loaded } from '#server/kit/cache/cache.ts';
import { bytesOf, type CachedResponse, sendCached, toCachedText } from '#server/kit/cache/responses.ts';
import { fromMemory } from '#server/kit/http/from-memory.ts';
import { visitorOf } from '#server/figures/insights/visitor.ts';
import { imageUrl } from '#server/kit/image-url.ts';
import { findProject, type FoundProject, listingOf } from '#server/listings/projects/queries.ts';
import { shownTexts } from '#server/listings/projects/withheld.ts';
import type { Services } from '#server/kit/services.ts';
import { embedPolicy } from './embed-policy.ts';
import { badgeFacts } from './facts.ts';

const CACHE_CONTROL = 'public, max-age=300';
const FRESH_MS = 60_000;

const SVG = 'image/svg+xml; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

const ANYWHERE = { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' };
const BADGE_HEADERS = {
  ...ANYWHERE,
  'Cache-Control': CACHE_CONTROL,
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
const embedHeaders = (theme: Theme) => ({
  ...ANYWHERE,
  'Content-Security-Policy': embedPolicy(theme),
  'Cross-Origin-Embedder-Policy': 'require-corp',
});

interface Shown {
  projectId: number;
  slug: string;
  response: CachedResponse;
}

type Draw = (row: FoundProject, theme: Theme) => CachedResponse;

type Kind = Extract<EventSource, 'badge' | 'embed'>;

const embedded = (row: FoundProject): Embedded => ({
  ...row,
  ...shownTexts(row),
  imageUrl: imageUrl(row.imageHash),
  listing: listingOf(row),
});

const drawings: Record<Kind, Draw> = {
  badge: (row, theme) => toCachedText(drawBadge(embedded(row), badgeFacts(row, new Date()), theme), SVG, BADGE_HEADERS),
  embed: (row, theme) =>
    toCachedText(drawEmbed(embedded(row), badgeFacts(row, new Date()), theme), HTML, {
      ...embedHeaders(theme),
      'Cache-Control': CACHE_CONTROL,
    }),
};

interface Wanted {
  kind: Kind;
  ref: string;
  theme: Theme;
}

const keyOf = ({ kind, ref, theme }: Wanted): string => `${kind}:${theme}:${ref}`;

/**
 * The project of a reference, or null if only its owner sees it. Cached for a minute, regardless of new votes; a change of the project
 * itself, such as hiding it, is seen at once. A missing project is not cached, because addresses can be made up.
 */
async function loadShown({ replica: db }: Services, wanted: Wanted): Promise<Loaded<Shown | null>> {
  const row = await findProject(db, wanted.ref);
  if (!row || row.hiddenAt) return { value: null, expiresAtMs: 0 };
  const value = { projectId: row.id, slug: row.slug, response: drawings[wanted.kind](row, wanted.theme) };
  const [nowMs, endMs] = [Date.now(), row.expiresAt.getTime()];
  const expiresAtMs = Math.min(nowMs + FRESH_MS, endMs > nowMs ? endMs : Infinity);
  return { value, bytes: bytesOf(value.response), expiresAtMs };
}

function countView(services: Services, request: FastifyRequest, projectId: number, source: Kind): void {
  const visitor = visitorOf(request);
  if (visitor === null || request.headers['sec-fetch-site'] === 'same-origin') return;
  services.events.count({ projectId, kind: 'view', source }, visitor);
}

interface Asked {
  Params: { file: string };
  Querystring: { theme?: unknown };
}

export function mountBadges(app: FastifyInstance, services: Services): void {
  async function send(kind: Kind, ref: string | undefined, request: FastifyRequest<Asked>, reply: FastifyReply) {
    const theme = themeOf(request.query.theme);
    if (ref === undefined) return sendMissing(kind, theme, reply);
    const wanted = { kind, theme, ref: ref.toLowerCase() };
    const shown = await fromMemory(services.cache, request, reply, {
      key: keyOf(wanted),
      reads: ['projects'],
      cost: 'small',
      load: () => loadShown(services, wanted),
    });
    if (shown === undefined) return reply;
    if (shown === null) return sendMissing(kind, theme, reply);
    if (shown.slug !== ref) return redirect(kind, shown.slug, theme, reply);
    countView(services, request, shown.projectId, kind);
    return sendCached(request, reply, shown.response);
  }

  app.get<Asked>('/badge/:file', { compress: false, config: { kind: 'memory' } }, (request, reply) =>
    send('badge', /^([a-z0-9-]{1,80})\.svg$/i.exec(request.params.file)?.[1], request, reply),
  );
  app.get<Asked>('/embed/:file', { compress: false, config: { kind: 'memory', mayBeFramed: true } }, (request, reply) =>
    send('embed', /^([a-z0-9-]{1,80})$/i.exec(request.params.file)?.[1], request, reply),
  );
}

function sendMissing(kind: Kind, theme: Theme, reply: FastifyReply): FastifyReply {
  reply.code(404).headers(ANYWHERE).header('Cache-Control', 'no-store');
  if (kind === 'badge') return reply.send({ error: 'badge_not_found', message: 'There is no such badge' });
  return reply.headers(embedHeaders(theme)).type(HTML).send(drawMissing(theme));
}

/** Temporary redirect: a name may come back (R23). */
function redirect(kind: Kind, slug: string, theme: Theme, reply: FastifyReply): FastifyReply {
  const path = kind === 'badge' ? `/badge/${slug}.svg` : `/embed/${slug}`;
  const query = theme === 'auto' ? '' : `?theme=${theme}`;
  return reply
    .headers(ANYWHERE)
    .header('Cache-Control', CACHE_CONTROL)
    .redirect(path + query, 302);
}
