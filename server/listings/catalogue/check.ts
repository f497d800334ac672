import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Alike, CatalogueText, RowReport } from '#shared/contract/catalogue.ts';
import { packageOf } from '#shared/listings/coin-type.ts';
import {
  projectTextFields,
  projectTexts,
  type ProjectTexts,
  readProjectText,
} from '#shared/listings/project-fields.ts';
import type { Services } from '#server/kit/services.ts';
import { versionsForReport } from '../ownership/ask-versions.ts';
import { lookAlikeKeys } from '../projects/look-alike-keys.ts';

const MOST_ALIKE = 3;

export interface CheckedRow extends RowReport {
  texts: ProjectTexts | null;
}

function readRow(row: CatalogueText): Pick<CheckedRow, 'errors' | 'texts'> {
  const read = projectTextFields.map((field) => ({ field, ...readProjectText(field, row[field] ?? '') }));
  const errors = read.flatMap(({ field, error }) => (error === null ? [] : [{ field, message: error }]));
  const stored = new Map(read.map((one) => [one.field, one.stored]));
  return {
    errors,
    texts: errors.length > 0 ? null : projectTexts(projectTextFields, (field) => stored.get(field) ?? ''),
  };
}

interface Found extends Alike {
  at: number;
  taken: boolean;
}

const ID_CHARS = 66;

/** The versions of a package that listings name, itself included (R71). */
const versionsOf = (id: RawBuilder<unknown>, original: RawBuilder<unknown>) => sql`(
  SELECT ${id} AS id UNION SELECT ${original} UNION SELECT packages.id FROM packages WHERE packages.original_id = ${original}
)`;

type Asked = Pick<Services, 'sui' | 'log'>;

const packagesOf = ({ coinType, packageId }: ProjectTexts): string[] =>
  [coinType && packageOf(coinType), packageId].filter((id) => id !== null);

async function findAlike(
  services: Asked,
  db: Db,
  rows: ReadonlyArray<{ at: number; texts: ProjectTexts }>,
): Promise<Found[]> {
  if (rows.length === 0) return [];
  const originals = await versionsForReport(services, db, [...new Set(rows.flatMap(({ texts }) => packagesOf(texts)))]);
  const originalOf = (id: string | null) => id && (originals.get(id) ?? id);
  const column = (of: (texts: ProjectTexts) => string | null) => rows.map(({ texts }) => of(texts));
  const { rows: found } = await sql<Found>`
    SELECT r.at::int AS at, p.by, p.slug, p.name, p.by = 'name' AND name_key(p.name) = name_key(r.name) AS taken
    FROM unnest(${rows.map(({ at }) => at)}::int[], ${column(({ name }) => name)}::text[],
      ${column(({ name }) => lookAlikeKeys(name).join(' '))}::text[], ${column(({ twitterHandle }) => twitterHandle)}::text[],
      ${column(({ website }) => website)}::text[], ${column(({ coinType }) => coinType)}::text[], ${column(({ packageId }) => packageId)}::text[],
      ${column(({ coinType }) => originalOf(coinType && packageOf(coinType)))}::text[], ${column(({ packageId }) => originalOf(packageId))}::text[]) AS r (at, name, keys, handle, website, coin, package, coin_original, package_original)
    CROSS JOIN LATERAL (
      (SELECT 'name' AS by, slug, name, id FROM projects WHERE look_alike_keys && string_to_array(r.keys, ' ') AND hidden_at IS NULL ORDER BY id LIMIT ${MOST_ALIKE})
      UNION ALL (SELECT 'handle', slug, name, id FROM projects WHERE lower(twitter_handle) = lower(r.handle) AND hidden_at IS NULL ORDER BY id LIMIT ${MOST_ALIKE})
      UNION ALL (SELECT 'website', slug, name, id FROM projects WHERE lower(website) = lower(r.website) AND hidden_at IS NULL ORDER BY id LIMIT ${MOST_ALIKE})
      UNION ALL (SELECT 'coin', slug, name, id FROM projects WHERE coin_type IN (
        SELECT v.id || substr(r.coin, ${ID_CHARS + 1}) FROM ${versionsOf(sql`left(r.coin, ${ID_CHARS})`, sql`r.coin_original`)} v
      ) AND hidden_at IS NULL ORDER BY id LIMIT ${MOST_ALIKE})
      UNION ALL (SELECT 'package', slug, name, id FROM projects WHERE package_id IN (
        SELECT v.id FROM ${versionsOf(sql`r.package`, sql`r.package_original`)} v
      ) AND hidden_at IS NULL ORDER BY id LIMIT ${MOST_ALIKE})
    ) p ORDER BY r.at`.execute(db);
  return found;
}

const NAME_TAKEN = { field: 'name', message: 'Another listing already has this name' };

export async function checkRows(services: Asked, db: Db, rows: readonly CatalogueText[]): Promise<CheckedRow[]> {
  const read = rows.map(readRow);
  const found = await findAlike(
    services,
    db,
    read.flatMap(({ texts }, at) => (texts ? [{ at, texts }] : [])),
  );
  return read.map(({ errors, texts }, at) => {
    const alike = found.filter((one) => one.at === at);
    const all = alike.some(({ taken }) => taken) ? [...errors, NAME_TAKEN] : errors;
    return { errors: all, texts, alike: alike.map(({ by, slug, name }) => ({ by, slug, name })) };
  });
}
