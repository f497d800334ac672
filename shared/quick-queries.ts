import { LISTING_DAYS } from './constants.ts';

export interface QuickQuery {
  label: string;
  sql: string;
}

/** Words that no slug may be (R23), as SQL text; slugs made here always end in the project's number and cannot be one. */
const WITHOUT_SLUG = `slug IS NULL OR slug !~ '^[a-z0-9]+(-[a-z0-9]+)*$'`;

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
    slug = CASE WHEN ${WITHOUT_SLUG} THEN
      -- accents off, everything else a hyphen, and the project's number, which makes it unique
      concat_ws('-', nullif(trim('-' FROM regexp_replace(
        regexp_replace(normalize(lower(name), NFKD), '[\\u0300-\\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), ''), id)
    ELSE slug END
  RETURNING id, slug, name, expires_at
), kept AS (
  INSERT INTO project_slugs (slug, project_id) SELECT slug, id FROM fixed ON CONFLICT (slug) DO NOTHING
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
