/**
 * Keyset pages: `limit` and `cursor` in the query, X-Next-Cursor (missing on the last page) and X-Total-Count in the
 * response; the body stays an array, as the specification requires. A cursor names its list and the sort key of the
 * last row, with times in microseconds; it is not signed, because it can only name a position that its caller may read.
 * Totals count to 10,000.
 *
 * Rejected: OFFSET (rows that come or go are shown twice or never), an envelope `{items, next}` (another body than
 * specified), `Link` headers (every client would parse a URL for the cursor). Known: in a list ordered by votes, a
 * project that passes the cursor may appear twice or not at all.
 */
import { z } from 'zod';

/** Rows of a page by default, and at most. */
export interface PageSize {
  size: number;
  max: number;
}

const CURSOR_MAX_CHARS = 200;

/**
 * Declares that a list comes in pages: `limit` and `cursor` in the query, X-Next-Cursor and X-Total-Count in the
 * response (shared/site/pages.ts). The body stays as the endpoint declares it. `more` are further fields of the query.
 */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- most lists have no further fields
export function inPages<const M extends z.ZodRawShape = Record<never, never>>({ size, max }: PageSize, more?: M) {
  const error = `The limit must be a whole number from 1 to ${max}`;
  return {
    pages: { size, max },
    query: z.object({
      ...(more as M),
      limit: z.coerce
        .number({ error })
        .int({ error })
        .min(1, { error })
        .max(max, { error })
        .default(size)
        .describe('Rows of a page'),
      cursor: z
        .string({ error: 'The cursor may be sent once' })
        .max(CURSOR_MAX_CHARS, { error: `The cursor can be at most ${CURSOR_MAX_CHARS} characters long` })
        .optional()
        .describe('X-Next-Cursor of the page before; none for the first page'),
    }),
  } as const;
}
