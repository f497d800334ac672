/**
 * Tags of cached values: counters, published totals, profiles, sessions and notices of users; projects, votes of projects (verified ones included), their
 * verified votes, figures of all of those, days and trends, and reviews of projects. A trigger of `db/functions/` reports the kind of each
 * change by a letter, and the rows by ids: 'u:7,9', or 'p:*' for all of a kind. `tags.test.ts` holds this table to those files.
 */
export const KINDS = {
  stats: { letter: 'u', sentBy: ['user_stats_changed', 'user_stats_deleted'] },
  voters: { letter: 'o', sentBy: ['refresh_top_voters'] },
  profiles: { letter: 'n', sentBy: ['users_changed'] },
  sessions: { letter: 's', sentBy: ['admins_changed', 'session_changed', 'sessions_changed'] },
  notices: { letter: 'm', sentBy: ['notices_changed'] },
  projects: { letter: 'p', sentBy: ['projects_changed'] },
  counts: { letter: 'c', sentBy: ['projects_changed'] },
  verified: { letter: 'v', sentBy: ['projects_changed'] },
  trust: { letter: 't', sentBy: ['projects_changed'] },
  days: { letter: 'd', sentBy: ['projects_changed'] },
  reviews: { letter: 'r', sentBy: ['reviews_changed', 'replies_changed'] },
} as const;

export type Kind = keyof typeof KINDS;
export const kinds = Object.keys(KINDS) as Kind[];

/** A value depends on any row of a kind, or on one by its id. */
export type Tag = Kind | `${Kind}:${number}`;

/** A cached read depends on any row of a kind, or on those of its own user. */
export type Dependency = Kind | `${Kind}:own`;

/** A write changes what depends on any row of a kind, the rows of its own user, or all rows of a kind, regardless of their owner. */
export type Change = Kind | `${Kind}:own` | `${Kind}:*`;
