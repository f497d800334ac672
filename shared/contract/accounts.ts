import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Challenge } from './auth.ts';
import { IdParam, Ok } from './types.ts';

export const getArchive = endpoint('getArchive', {
  access: 'self',
  summary: 'All data about the user, as one ZIP of JSON and CSV files',
  params: IdParam,
  contentType: 'application/zip',
  statuses: { 429: 'An archive is being made, or the daily limit is reached' },
  response: z.unknown(),
});

export const deleteAccount = endpoint('deleteAccount', {
  access: 'self',
  summary: 'Delete the account for good: without a signature, returns the challenge to sign (401)',
  params: IdParam,
  body: z.object({
    removeReviews: z.boolean().default(false),
    nonce: z.string().max(64).optional(),
    signature: z.string().max(20_000).optional(),
  }),
  statuses: {
    401: {
      when: 'Without a session. Without a signature: the challenge to sign. With one: why the signature is not accepted',
      body: z.object({ error: z.string(), message: z.string(), challenge: Challenge.optional() }),
    },
    409: 'A payment, withdrawal, or payout of the account is open, or the wallet has a role in the admin panel',
  },
  response: Ok,
});
