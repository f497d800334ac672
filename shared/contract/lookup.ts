import { z } from 'zod';
import { openRead } from '../endpoint.ts';
import { Id, Project, Time } from './types.ts';

export const Lookup = z.object({
  line: z.string(),
  id: Id,
  slug: z.string(),
  name: z.string(),
  coinType: z.string().nullable(),
  packageId: z.string().nullable(),
  /** All votes that count; the share is 0..1, null without votes, with its 95% interval. */
  votes: z.object({
    bullish: z.int(),
    bearish: z.int(),
    share: z.number().nullable(),
    low: z.number(),
    high: z.number(),
  }),
  /** Those given, changed or confirmed in the last 30 days; null with fewer than ten. */
  now: Project.shape.verified.nullable(),
  verified: Project.shape.verified,
  /** How many votes are older than a change of identity; null where none is mentioned. */
  changed: z.string().nullable(),
  listing: Project.shape.listing,
  expired: z.boolean(),
  figuresOn: Project.shape.figuresOn,
  asOf: Time,
  url: z.string(),
  badge: z.string(),
});
export type Lookup = z.output<typeof Lookup>;

const name = (meaning: string) => z.string().min(1).max(1000).optional().describe(meaning);

export const lookUp = openRead('/api/v1/lookup', {
  summary: 'What the site says of a coin or a package, at most a minute old: send one of the two',
  query: z.object({
    coin: name('A coin type such as 0x2::sui::SUI, in any spelling').meta({ examples: ['0x2::sui::SUI'] }),
    package: name('The address of a package'),
  }),
  statuses: { 404: 'No listing names it' },
  response: Lookup,
});
