import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { IdText, Id, Ok, ProjectRef, Reason, Time } from './types.ts';

/** A version of a listing (R60): its content from `createdAt` on. Where a moderator blanked it, only the hash is left. */
export const ListingVersion = z.object({
  number: Id,
  /** One more than before if name, picture, handle or website changed. */
  identity: Id,
  createdAt: Time,
  name: z.string().nullable(),
  imageUrl: z.string().nullable(),
  twitterHandle: z.string().nullable(),
  website: z.string().nullable(),
  category: z.string().nullable(),
  description: z.string().nullable(),
  isBlanked: z.boolean(),
  isSameProject: z.boolean(),
  /** When a moderator blanked it, confirmed the same project, or took that back, which the record's next batch names. */
  blankedAt: Time.nullable(),
  sameAt: Time.nullable(),
  apartAt: Time.nullable(),
  /** 16 bytes in base64url, of which `hash` is made; docs/use/record.md defines both. */
  salt: z.string().nullable(),
  /** The hash in the `version` entry of the public record. */
  hash: z.string(),
});
export type ListingVersion = z.output<typeof ListingVersion>;

export const listVersions = endpoint('listVersions', {
  access: 'public',
  summary:
    'All versions of a listing, newest first: what its name, picture, links, category and description were, and since when',
  params: ProjectRef,
  ...inPages({ size: 20, max: 100 }),
  response: z.array(ListingVersion),
});

export const VERSION_ACTS = ['same_project', 'other_project', 'blank'] as const;
export type VersionAct = (typeof VERSION_ACTS)[number];

export const moderateVersion = endpoint('moderateVersion', {
  access: 'admin',
  summary:
    "Confirm that the project with a version's identity is the previous one, take that back, or delete the content of a version for good; with a reason its owner sees",
  params: z.object({
    id: IdText,
    number: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  }),
  body: z.object({ act: z.enum(VERSION_ACTS), reason: Reason }),
  statuses: { 409: 'The version is what the listing shows, or does not begin an identity' },
  response: Ok,
});
