/** Reads what a site draws: pages, badges, embedded cards and the feed. */
import { z } from 'zod';
import type { DrawnFacts } from '#shared/badge/figures.ts';

const Votes = z.object({ bullish: z.int(), bearish: z.int() });
const Drawn: z.ZodType<DrawnFacts> = z.object({
  votes: Votes,
  verified: Votes,
  now: Votes.nullable(),
  hasEnded: z.boolean(),
  day: z.iso.date().nullable(),
});

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
export const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole);

export function parsedAs<T>(schema: z.ZodType<T>, text: string | undefined): T | null {
  try {
    return schema.safeParse(JSON.parse(text ?? '')).data ?? null;
  } catch {
    return null;
  }
}

/** The figures that a badge or a card says it was drawn from. */
export const factsOf = (drawing: string): DrawnFacts | null =>
  parsedAs(Drawn, unescaped(/ data-figures="([^"]*)"/.exec(drawing)?.[1] ?? ''));

/** The first data of a page, from which a browser draws it again. */
export const pageData = (html: string): string | undefined =>
  /<script type="application\/json" id="page-data">([^<]*)<\/script>/.exec(html)?.[1];

/** The rating that a page states for machines; null without one. */
export const statedRating = (html: string): object | null =>
  parsedAs(
    z.object({ aggregateRating: z.record(z.string(), z.union([z.string(), z.number()])) }),
    /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)?.[1],
  )?.aggregateRating ?? null;

/**
 * A drawing without what the machine that drew it decides: the form of large numbers follows its language, and the width
 * of a text follows that form.
 */
export const plain = (text: string): string =>
  text.replace(/(?<=\d)[.,'’\u00a0\u202f](?=\d{3}(?!\d))/g, '').replace(/ textLength="[\d.]+"/g, '');

/** The titles that a page shows where it is shared. */
export const titlesOf = (html: string): string[] =>
  [...html.matchAll(/<meta (?:property|name)="(?:og:title|twitter:title|og:image:alt)" content="([^"]*)">/g)].map(
    ([, title = '']) => unescaped(title),
  );

/** The text that a page shows before any script runs, with a line for each element; '' where the browser draws it. */
export function drawnText(html: string): string {
  const start = html.indexOf('<div id="root"');
  if (start === -1) return '';
  const body = html.slice(start).replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, '');
  return plain(unescaped(body.replaceAll('<!-- -->', '').replace(/<[^>]*>/g, '\n')));
}

/** '86%', '55–79%' */
export const percentsIn = (text: string): string[] => text.match(/\d[\d.,]*(?:[–-]\d[\d.,]*)?\s?%/g) ?? [];
