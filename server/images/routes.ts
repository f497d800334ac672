import type { FastifyInstance } from 'fastify';
import { readImage } from '#db/images.ts';
import { IMAGE_WIDTHS_PX } from '#shared/constants.ts';
import { notFound } from '../http/errors.ts';
import { charged } from '../http/read-budget.ts';
import type { Services } from '../services.ts';

const NAME = /^([0-9a-f]{16,64})(?:-(\d{1,4}))?\.webp$/;

/** GET /images/{hash}.webp and /images/{hash}-{width}.webp: stored pictures, cacheable permanently because the hash names them. */
export function mountImages(app: FastifyInstance, { db, replica }: Services): void {
  app.get<{ Params: { name: string } }>('/images/:name', async (request, reply) => {
    const [, hash, width] = NAME.exec(request.params.name) ?? [];
    const widthPx = width === undefined ? 0 : Number(width);
    if (!hash || (widthPx !== 0 && !(IMAGE_WIDTHS_PX as readonly number[]).includes(widthPx)))
      throw notFound('image_not_found', 'Image not found');
    reply.header('Cache-Control', 'public, max-age=31536000, immutable').header('ETag', `"${request.params.name}"`);
    if (request.headers['if-none-match'] === `"${request.params.name}"`) return reply.code(304).send();
    const bytes = await charged(request, null, 'small', () => readImage({ db, replica }, hash, widthPx));
    if (!bytes) {
      reply.header('Cache-Control', 'no-store').removeHeader('ETag');
      throw notFound('image_not_found', 'Image not found');
    }
    return reply.type('image/webp').send(bytes);
  });
}
