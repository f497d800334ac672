import { REASONS } from '#shared/voting/reasons.ts';
import type { EntryOf } from '../entries/entries.ts';
import type { Figure } from './compare.ts';
import { type Known, type Line, pagesOf, type Shown } from './shown.ts';

/** Why voters voted as they did (R89): the site shows the newest figures of each group and direction of the record. */
export const REASONS_SHOWN: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Reasons',
    figure: 'figures',
    places: (site, { record }) =>
      pagesOf(site).map(({ id, reasons }) => {
        const recorded = record.listings.get(id)?.reasons ?? new Map<string, EntryOf<'reasons'>>();
        const shown = Object.fromEntries(reasons.map((one) => [`${one.group} ${one.direction}`, one]));
        const fields = ['day', 'voters', ...REASONS] as const;
        const expected = [...recorded].map(([key, entry]) => [
          key,
          Object.fromEntries(fields.map((field) => [field, entry[field]])),
        ]);
        const count = (figures: number) => ({ figures });
        return [
          `project ${id} on its page`,
          { ...shown, ...count(reasons.length) },
          { ...Object.fromEntries(expected), ...count(recorded.size) },
        ];
      }),
  },
];
