/**
 * What cached values depend on. A trigger of `db/functions/` says of each change which kind it is, by a letter, and of whom, by ids: 'u:7,9',
 * or 'p:*' for all of a kind. `tags.test.ts` holds this table to those files.
 */
export const KINDS = {
  /** Counters of users. */
  stats: { letter: 'u', sentBy: ['user_stats_changed', 'user_stats_deleted'] },
  /** Profiles of users. */
  profiles: { letter: 'n', sentBy: ['users_changed'] },
  /** Sessions of users. */
  sessions: { letter: 's', sentBy: ['admins_changed', 'session_changed', 'sessions_changed'] },
  /** Notices of users. */
  notices: { letter: 'm', sentBy: ['notices_changed'] },
  projects: { letter: 'p', sentBy: ['projects_changed'] },
  /** Votes of projects, verified ones included. */
  counts: { letter: 'c', sentBy: ['projects_changed'] },
  /** Verified votes of projects. */
  verified: { letter: 'v', sentBy: ['projects_changed'] },
  /** Figures of all verified votes. */
  trust: { letter: 't', sentBy: ['projects_changed'] },
  /** Days and trends of projects. */
  days: { letter: 'd', sentBy: ['projects_changed'] },
  /** Reviews of projects. */
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
