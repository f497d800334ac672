import type { CatalogueRow } from '#shared/contract/catalogue.ts';
import { CSV_MARK, csvLine } from '#shared/text/csv.ts';
import { projectTextFields } from '#shared/listings/project-fields.ts';

export const CATALOGUE_COLUMNS = [...projectTextFields, 'picture'] as const;

export const pictureOf = (slug: string): string => `${slug}.webp`;

/** The sheet of these listings, oldest first: imported, it lists them in the same order again. */
export function toSheet(newestFirst: ReadonlyArray<Omit<CatalogueRow, 'id' | 'imageUrl'>>): string[] {
  const lines = newestFirst.map(({ slug, ...row }) => {
    const cells = new Map<string, unknown>(Object.entries({ ...row, picture: pictureOf(slug) }));
    return csvLine(CATALOGUE_COLUMNS.map((column) => cells.get(column)));
  });
  return [CSV_MARK, csvLine(CATALOGUE_COLUMNS), ...lines.toReversed()];
}
