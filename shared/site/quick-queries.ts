import { LISTING_DAYS } from '../constants.ts';
import { RESERVED_SLUGS } from './reserved-slugs.ts';

export interface QuickQuery {
  label: string;
  sql: string;
}

const RESERVED = RESERVED_SLUGS.map((word) => `'${word}'`).join(', ');
/** Invalid slugs (R23): empty, other characters than ASCII words, a bare number, one of our own routes. */
const WITHOUT_SLUG = `slug IS NULL OR slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$' OR slug ~ '^[0-9]+$'
  OR slug IN (${RESERVED})`;
/** The name's part and the project's number, which makes it unique; twice where another project has that address. */
const SLUG = `concat_ws('-', slug_base(name), id)`;

/** The quick queries of the SQL console (S2.40). */
export const QUICK_QUERIES: readonly QuickQuery[] = [
  {
    label: 'Count projects',
    sql: `SELECT count(*) AS projects,
  count(*) FILTER (WHERE expires_at > now() AND hidden_at IS NULL) AS active,
  count(*) FILTER (WHERE expires_at <= now()) AS expired,
  count(*) FILTER (WHERE hidden_at IS NOT NULL) AS hidden
FROM projects`,
  },
  {
    label: 'Latest 25 projects',
    sql: `SELECT id, slug, name, category, created_at, expires_at, hidden_at
FROM projects
ORDER BY created_at DESC, id DESC
LIMIT 25`,
  },
  {
    label: `Fix slugs and renew all for ${LISTING_DAYS} days`,
    sql: `WITH fixed AS (
  UPDATE projects SET
    expires_at = greatest(now(), expires_at) + interval '${LISTING_DAYS} days',
    slug = CASE WHEN ${WITHOUT_SLUG} THEN CASE
      WHEN EXISTS (SELECT FROM project_slugs s WHERE s.slug = ${SLUG} AND s.project_id <> id) THEN ${SLUG} || '-' || id
      ELSE ${SLUG} END
    ELSE slug END
  RETURNING id, slug, name, expires_at
)
SELECT id, slug, name, expires_at FROM fixed ORDER BY id`,
  },
  {
    label: 'Projects without a slug',
    sql: `SELECT id, slug, name, created_at
FROM projects
WHERE ${WITHOUT_SLUG}
ORDER BY id`,
  },
  {
    label: 'Expired projects',
    sql: `SELECT id, slug, name, expires_at, date_trunc('hour', now() - expires_at) AS expired_for
FROM projects
WHERE expires_at <= now()
ORDER BY expires_at DESC`,
  },
];
