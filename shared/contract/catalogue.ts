import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { Id, IdParam, projectSchemas, Reason, Time } from './types.ts';

export const CATALOGUE_MAX_ROWS = 2_000;
export const CATALOGUE_CHECK_ROWS = 100;
export const CATALOGUE_IMPORT_ROWS = 10;

const { imageUrl: _, ...Texts } = projectSchemas(
  () => z.string().max(1_000),
  () => z.string().max(1_000).nullish(),
);
const CatalogueText = z.object(Texts);
export type CatalogueText = z.output<typeof CatalogueText>;

export const ALIKE_BY = ['name', 'handle', 'website', 'coin', 'package', 'picture'] as const;
const Alike = z.object({ by: z.enum(ALIKE_BY), slug: z.string(), name: z.string() });
export type Alike = z.output<typeof Alike>;

const RowReport = z.object({
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
  alike: z.array(Alike),
});
export type RowReport = z.output<typeof RowReport>;

export const checkCatalogue = endpoint('checkCatalogue', {
  access: 'admin',
  summary: 'Dry run of an import into the catalogue: what is wrong with each row, and which listings it looks like',
  bodyLimitBytes: 512 * 1024,
  body: z.object({ rows: z.array(CatalogueText).min(1).max(CATALOGUE_CHECK_ROWS) }),
  response: z.object({ rows: z.array(RowReport) }),
});

const CatalogueImport = z.object({
  id: Id,
  name: z.string(),
  createdAt: Time,
  undoneAt: Time.nullable(),
  listings: z.int(),
  claimed: z.int(),
  /** Claimed and renewed since: no longer free (R72). */
  renewed: z.int(),
});
export type CatalogueImport = z.output<typeof CatalogueImport>;

export const beginImport = endpoint('beginImport', {
  access: 'admin',
  summary: 'Begin an import into the catalogue; its rows follow in calls of their own',
  status: 201,
  body: z.object({ name: z.string().trim().min(1).max(100) }),
  response: z.object({ id: Id }),
});

export const importRows = endpoint('importRows', {
  access: 'admin',
  summary: 'List rows of an import, each with its picture as a data URL; a row that cannot be listed stops no other',
  bodyLimitBytes: 15 * 1024 * 1024,
  params: IdParam,
  body: z.object({
    rows: z
      .array(CatalogueText.extend({ imageUrl: z.string() }))
      .min(1)
      .max(CATALOGUE_IMPORT_ROWS),
  }),
  statuses: { 404: 'There is no such import', 409: 'It was undone, or is full' },
  response: z.object({ rows: z.array(RowReport.extend({ slug: z.string().nullable() })) }),
});

export const listImports = endpoint('listImports', {
  access: 'admin',
  summary: 'Imports into the catalogue, newest first',
  ...inPages({ size: 20, max: 100 }),
  response: z.array(CatalogueImport),
});

export const undoImport = endpoint('undoImport', {
  access: 'admin',
  summary: 'Undo an import: its unclaimed listings are hidden, their votes and Snaps stay; claimed ones stay listed',
  params: IdParam,
  body: z.object({ reason: Reason }),
  statuses: { 404: 'There is no such import', 409: 'It was undone before' },
  response: z.object({ hidden: z.int(), kept: z.int() }),
});

export const CatalogueRow = CatalogueText.extend({ id: Id, slug: z.string(), imageUrl: z.string() });
export type CatalogueRow = z.output<typeof CatalogueRow>;

export const listCatalogue = endpoint('listCatalogue', {
  access: 'admin',
  summary: 'The catalogue in the form of an import, newest first',
  ...inPages({ size: 100, max: 500 }),
  response: z.array(CatalogueRow),
});
