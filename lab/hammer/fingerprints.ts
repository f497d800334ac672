import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

/** `owner` owns projects; `admin` is the owner of the admin panel, in which the last two have a role. */
export type Role = 'nobody' | 'user' | 'owner' | 'admin' | 'payer' | 'moderator';

/** Rows that belong to one user, and columns of projects and payments that only an order or the admin may change. */
const PROJECT =
  'id, slug, name, category, description, image_hash, twitter_handle, website, owner_id, expires_at, hidden_at';
const PAYMENT = 'id, user_id, purpose, project_id, draft, order_hash, amount_mist, received_mist';

/** Rows that a request of the role must not change, as queries; `$self` is the role's own user. */
const ALWAYS = {
  users: 'SELECT * FROM users WHERE id <> $self',
  votes: 'SELECT * FROM votes WHERE user_id <> $self',
  vote_changes: 'SELECT * FROM vote_changes WHERE user_id <> $self',
  undone_votes: 'SELECT * FROM undone_votes WHERE user_id <> $self',
  sessions: 'SELECT token_hash FROM sessions WHERE user_id <> $self',
  burned: "SELECT * FROM token_ledger WHERE user_id <> $self AND kind = 'review_burn'",
  reviews: 'SELECT id, project_id, user_id, content FROM reviews WHERE user_id <> $self',
};
const FOR_ADMINS_ONLY = {
  user_stats: 'SELECT * FROM user_stats WHERE user_id <> $self',
  token_ledger: 'SELECT * FROM token_ledger WHERE user_id <> $self',
  withdrawals: 'SELECT * FROM withdrawals WHERE user_id <> $self',
  activity: 'SELECT * FROM activity WHERE user_id <> $self',
  hidden_reviews: 'SELECT id, hidden_at, hidden_reason FROM reviews WHERE user_id <> $self',
  payments: `SELECT ${PAYMENT} FROM payments WHERE user_id <> $self`,
  projects: `SELECT ${PROJECT} FROM projects`,
  project_slugs: 'SELECT * FROM project_slugs',
  payout_batches: 'SELECT id FROM payout_batches',
  config: 'SELECT * FROM config',
  admin_sessions:
    'SELECT token_hash FROM admin_sessions WHERE session_hash NOT IN (SELECT token_hash FROM sessions WHERE user_id = $self)',
  admins: 'SELECT * FROM admins',
};
type Kind = keyof typeof FOR_ADMINS_ONLY;

/** Rows among them that a granted role may change (R54). */
const MAY_CHANGE: Partial<Record<Role, readonly Kind[]>> = {
  payer: ['withdrawals', 'token_ledger', 'user_stats', 'activity', 'payout_batches'],
  moderator: ['hidden_reviews', 'activity', 'projects', 'project_slugs'],
};
const OF_PROJECTS = 'SELECT id, name, category, description, image_hash, owner_id, expires_at FROM projects';

function queriesFor(role: Role): Record<string, string> {
  if (role === 'admin') return ALWAYS;
  const may = new Set<string>(MAY_CHANGE[role]);
  const others = Object.entries(FOR_ADMINS_ONLY).filter(([name]) => !may.has(name));
  return { ...ALWAYS, ...Object.fromEntries(others), ...(role === 'moderator' ? { of_projects: OF_PROJECTS } : {}) };
}

/** A checksum for each kind of row that the role may not change. */
export async function fingerprintsFor(db: Db, role: Role, self: number): Promise<Map<string, string>> {
  const queries = Object.entries(queriesFor(role));
  const union = queries
    .map(
      ([name, query]) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS sum
         FROM (${query.replaceAll('$self', String(self))}) t`,
    )
    .join(' UNION ALL ');
  const { rows } = await sql.raw<{ name: string; sum: string }>(union).execute(db);
  return new Map(rows.map(({ name, sum }) => [name, sum]));
}

/** Names of what differs. */
export const changesBetween = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before.keys()].filter((name) => before.get(name) !== after.get(name));
