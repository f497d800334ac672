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
  /** Votes given, changed or confirmed in the last 30 days; null with fewer than ten. */
  now: Project.shape.verified.nullable(),
  verified: Project.shape.verified,
  /** How many votes are older than a change of identity; null if none is mentioned. */
  changed: z.string().nullable(),
  listing: Project.shape.listing,
  expired: z.boolean(),
  figuresOn: Project.shape.figuresOn,
  asOf: Time,
  url: z.string(),
  badge: z.string(),
});
export type Lookup = z.output<typeof Lookup>;

const LOOKUPS_MAX = 100;
const said = { error: `Send 1 to ${LOOKUPS_MAX} coins, each as text of at most 1000 characters` };
const Coin = z.string(said).min(1, said).max(1000, said);

export const lookUp = openRead('/api/v1/lookup', {
  summary:
    'What the site says of a coin or a package, at most a minute old: send one of the two. ' +
    `For several coins, up to ${LOOKUPS_MAX}, repeat \`coin\`: the response is a list in that order, and costs as much as one call for each`,
  query: z.object({
    coin: z
      .union([Coin, z.array(Coin).min(1, said).max(LOOKUPS_MAX, said)])
      .optional()
      .describe('A coin type such as 0x2::sui::SUI, in any spelling; repeat it for several')
      .meta({ examples: ['0x2::sui::SUI'] }),
    package: z.string().min(1).max(1000).optional().describe('The address of a package'),
  }),
  statuses: { 404: 'No listing names the only one' },
  /** A list for several coins, as they were sent; `found` is null if no listing names the coin. */
  response: z.union([Lookup, z.array(z.object({ coin: z.string(), found: Lookup.nullable() }))]),
});
