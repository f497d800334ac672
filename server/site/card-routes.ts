import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#db/client.ts';
import { findBlanked } from '#db/images.ts';
import { mentionedChange } from '#shared/listings/identity.ts';
import { categoryText } from '#shared/listings/listing-source.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { EARLY_DAYS } from '#shared/figures/sorts.ts';
import { notFound } from '#server/kit/http/errors.ts';
import {
  type FoundProject,
  type ProjectRow,
  findProject,
  listingOf,
  votesOf,
} from '#server/listings/projects/queries.ts';
import { shownTexts } from '#server/listings/projects/withheld.ts';
import { listTop } from '#server/listings/projects/ranked.ts';
import { charged } from '#server/kit/http/read-budget.ts';
import type { Services } from '#server/kit/services.ts';
import { loadPicture } from './card-art.ts';
import { type Card, createCardCache } from './card-cache.ts';
import { type CardProject, drawLeaderboardCard, drawProjectCard, drawSiteCard } from './cards.ts';

/** Raise this number when the design changes, so that shared links get the new one. */
const DESIGN = 4;
const CARDS_SHOWN = 3;

type ShownRow = ProjectRow & Partial<Pick<FoundProject, 'now'>>;

function versionOf(rows: ShownRow[], note: string | null = null): string {
  const shown = rows.map((row) => [
    row.name,
    row.twitterHandle,
    row.lookAlike,
    categoryText(row.category, listingOf(row).source),
    row.imageHash,
    bullishPercentage(row.bullish, row.bearish),
    row.bullish + row.bearish,
    row.verifiedBullish,
    row.verifiedBearish,
    row.figuresOn,
    row.now,
    mentionedChange(row, row.identityChanges ?? []) ?? null,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([DESIGN, shown, note]))
    .digest('hex')
    .slice(0, 16);
}

/** A listing may still name a picture that was blanked with another one's. */
async function withoutBlanked<R extends ShownRow>(db: Db, rows: readonly R[]): Promise<R[]> {
  const blanked = await findBlanked(
    db,
    rows.map(({ imageHash }) => imageHash),
  );
  return rows.map((row) => (blanked.has(row.imageHash) ? { ...row, imageHash: '' } : row));
}

/** Address of a project's share card: another one after every change, as sites that show links keep pictures for days. */
export const projectCardPath = (row: ShownRow): string => `/og/projects/${row.slug}.jpg?v=${versionOf([row])}`;
export const SITE_CARD_PATH = '/og/site.jpg';
export const LEADERBOARD_CARD_PATH = '/og/leaderboard.jpg';

async function toCardProject({ replica: db }: Services, row: ShownRow): Promise<CardProject> {
  return {
    ...row,
    ...shownTexts(row),
    source: listingOf(row).source,
    now: row.now ?? null,
    bullishPercentage: bullishPercentage(row.bullish, row.bearish),
    ...votesOf(row),
    changed: mentionedChange(row, row.identityChanges ?? []),
    picture: await loadPicture(db, row.imageHash),
  };
}

async function send(reply: FastifyReply, card: Promise<Card>): Promise<FastifyReply> {
  const { version, bytes } = await card;
  reply
    .header('ETag', `"${version}"`)
    // Cached for an hour at most: a moderator can blank the pictures in it.
    .header('Cache-Control', 'public, max-age=300, stale-while-revalidate=3300')
    .header('Cross-Origin-Resource-Policy', 'cross-origin');
  return reply.type('image/jpeg').send(bytes);
}

export function mountCards(app: FastifyInstance, services: Services): void {
  const { replica: db } = services;
  const cards = createCardCache();

  function cardFor(request: FastifyRequest, key: string, version: string, draw: () => Promise<Buffer>): Promise<Card> {
    return charged(request, null, cards.isDrawn(key, version) ? 'free' : 'card', () =>
      cards.cardOf(key, version, draw),
    );
  }

  app.get<{ Params: { file: string } }>('/og/projects/:file', async (request, reply) => {
    const slug = /^([a-z0-9-]{1,80})\.jpg$/.exec(request.params.file)?.[1];
    const found = await charged(request, null, 'small', () => (slug ? findProject(db, slug) : null));
    if (!found || found.hiddenAt) throw notFound('card_not_found', 'There is no such card');
    const [row = found] = await withoutBlanked(db, [found]);
    const draw = async () => drawProjectCard(await toCardProject(services, row));
    return send(reply, cardFor(request, `project ${row.id}`, versionOf([row]), draw));
  });

  app.get(SITE_CARD_PATH, async (request, reply) => {
    const top = await charged(request, null, 'small', () => listTop(services, CARDS_SHOWN));
    const rows = await withoutBlanked(db, top.rows);
    const draw = async () =>
      drawSiteCard(await Promise.all(rows.toReversed().map((row) => loadPicture(db, row.imageHash))));
    return send(reply, cardFor(request, 'site', versionOf(rows), draw));
  });

  app.get(LEADERBOARD_CARD_PATH, async (request, reply) => {
    const { rows: top, isYoung } = await charged(request, null, 'small', () => listTop(services, CARDS_SHOWN));
    const rows = await withoutBlanked(db, top);
    const note = isYoung ? EARLY_DAYS : `Verified votes: ${asOfText(rows[0]?.figuresOn ?? null)}`;
    const draw = async () =>
      drawLeaderboardCard(await Promise.all(rows.map((row) => toCardProject(services, row))), note);
    return send(reply, cardFor(request, 'leaderboard', versionOf(rows, note), draw));
  });
}
