/**
 * What cached values depend on: counters, profiles, sessions and notices of users; projects, votes of projects (verified ones included),
 * their verified votes, figures of all of those, days and trends, and reviews of projects. A trigger of `db/functions/` says of each change
 * which kind it is, by a letter, and of whom, by ids: 'u:7,9', or 'p:*' for all of a kind. `tags.test.ts` holds this table to those files.
 */
export const KINDS = {
  stats: { letter: 'u', sentBy: ['user_stats_changed', 'user_stats_deleted'] },
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

/** What a value depends on: any of a kind, or one by its id. */
export type Tag = Kind | `${Kind}:${number}`;

/** What a cached read depends on: any of a kind, or what is its own user's. */
export type Dependency = Kind | `${Kind}:own`;

/** What a write changes: what depends on any of a kind, what is its own user's, or everything of a kind, whosever it is. */
export type Change = Kind | `${Kind}:own` | `${Kind}:*`;
