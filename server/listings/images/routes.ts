import type { FastifyInstance } from 'fastify';
import { hasImage, readImage } from '#db/images.ts';
import { IMAGE_WIDTHS_PX } from '#shared/constants.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { charged } from '#server/kit/http/read-budget.ts';
import type { Services } from '#server/kit/services.ts';

const NAME = /^([0-9a-f]{16,64})(?:-(\d{1,4}))?\.webp$/;

/** A blanked picture leaves all caches within this time. */
const CACHE_CONTROL = 'public, max-age=3600';

export function mountImages(app: FastifyInstance, { db, replica }: Services): void {
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
    const isStored = request.headers['if-none-match'] === etag;
    const found = await charged(request, null, 'small', () =>
      isStored ? hasImage(replica, hash) : readImage({ db, replica }, hash, widthPx),
    );
    if (found === null || found === false) throw missing();
    reply.header('Cache-Control', CACHE_CONTROL).header('ETag', etag);
    return found === true ? reply.code(304).send() : reply.type('image/webp').send(found);
  });
}
