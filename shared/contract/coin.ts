import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Digest, MistText, Time } from './types.ts';

const Terms = z.object({
  name: z.string().max(200),
  symbol: z.string().max(200),
  decimals: z.int().min(0).max(255),
  /** In whole Snaps. */
  firstSupply: z.int(),
});

export const CoinPublication = Terms.extend({
  digest: z.string(),
  /** sent: its digest is stored and the chain has not answered · made · failed: nothing was made. */
  state: z.enum(['sent', 'made', 'failed']),
  coinType: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: Time,
});
export type CoinPublication = z.output<typeof CoinPublication>;

export const SnapsCoin = z.object({
  /** SNAPS_COIN_TYPE of this server; with it no coin is made. */
  coinType: z.string().nullable(),
  /** SNAPS_DECIMALS, which the coin must have. */
  decimals: z.int(),
  sender: z.string(),
  publication: CoinPublication.nullable(),
});
export type SnapsCoin = z.output<typeof SnapsCoin>;

export const getCoin = endpoint('getCoin', {
  access: 'admin',
  summary: 'The coin of Snaps, and the newest one that this site has made',
  response: SnapsCoin,
});

export const CoinDraft = Terms.extend({
  /** The module to publish, in base64, and the packages that it needs. */
  module: z.string(),
  sender: z.string(),
  /** By a dry run on the node of this server. */
  gasMist: MistText,
});
export type CoinDraft = z.output<typeof CoinDraft>;

export const prepareCoin = endpoint('prepareCoin', {
  access: 'admin',
  summary: 'Prepare a coin of Snaps by a dry run; nothing is signed or sent (R83)',
  body: Terms,
  statuses: { 409: 'The site has a coin, or the dry run failed' },
  response: CoinDraft,
});

export const executeCoin = endpoint('executeCoin', {
  access: 'admin',
  summary: "Publish a coin of Snaps with a transaction that the owner's wallet signed",
  body: z.object({
    bytes: z.string().max(200_000),
    signature: z.string().max(20_000),
    /** The publication that this one replaces, where a coin was made and is not used. */
    replaces: Digest.nullable(),
  }),
  statuses: { 409: 'The site has a coin, or another one is being made' },
  response: CoinPublication,
});
