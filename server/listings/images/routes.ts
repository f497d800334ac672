import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { findImage, readImage } from '#db/images.ts';
import { IMAGE_WIDTHS_PX } from '#shared/constants.ts';
import { isKnown } from '#server/kit/cache/if-none-match.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { charged } from '#server/kit/http/read-budget.ts';
import { getSession } from '#server/kit/http/session.ts';
import type { Services } from '#server/kit/services.ts';

const NAME = /^([0-9a-f]{16,64})(?:-(\d{1,4}))?\.webp$/;

/** A blanked picture leaves all caches within this time. */
const PUBLIC = 'public, max-age=3600';
const PRIVATE = 'private, no-store';

async function isInOwnOrder(services: Services, request: FastifyRequest, hash: string): Promise<boolean> {
  const session = await getSession(services, request);
  if (!session) return false;
  const { rows } = await sql`
    SELECT FROM payments WHERE user_id = ${session.userId} AND draft->>'imageHash' = ${hash} LIMIT 1`.execute(
    services.db,
  );
  return rows.length > 0;
}

export function mountImages(app: FastifyInstance, services: Services): void {
  app.get<{ Params: { name: string } }>('/images/:name', async (request, reply) => {
    const { name } = request.params;
    const [, hash, width] = NAME.exec(name) ?? [];
    const widthPx = width === undefined ? 0 : Number(width);
    const missing = () => {
      reply.header('Cache-Control', 'no-store');
      return notFound('image_not_found', 'Image not found');
    };
    if (!hash || (widthPx !== 0 && !(IMAGE_WIDTHS_PX as readonly number[]).includes(widthPx))) throw missing();
    const etag = `"${name}"`;
    const isKept = isKnown(request, etag);
    const image: { isPublic: boolean; bytes?: Buffer } | null = await charged(request, null, 'small', () =>
      isKept ? findImage(services.replica, hash) : readImage(services, hash, widthPx),
    );
    if (!image || !(image.isPublic || (await isInOwnOrder(services, request, hash)))) throw missing();
    reply.header('Cache-Control', image.isPublic ? PUBLIC : PRIVATE).header('ETag', etag);
    // Other sites that show a project of the open API also show its picture.
    if (image.isPublic) reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
    return isKept ? reply.code(304).send() : reply.type('image/webp').send(image.bytes);
  });
}
