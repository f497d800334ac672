import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#db/client.ts';
import { changesOf, votesOf } from '#server/books/opinions.ts';
import { projectTextFields } from '#shared/listings/project-fields.ts';
import { REASONS } from '#shared/voting/reasons.ts';

type Row = Record<string, unknown>;

/** Read in pages by its key: no connection is held in between. */
export interface ArchivePart {
  name: string;
  about: string;
  columns: readonly string[];
  rows: (userId: number, after: RawBuilder<unknown>, limit: number) => RawBuilder<Row>;
  key: readonly string[];
  start: readonly (string | number)[];
}

const PAGE_ROWS = 1_000;

const tuple = (values: readonly unknown[]): RawBuilder<unknown> => sql`(${sql.join(values)})`;

export async function* readPart(db: Db, userId: number, part: ArchivePart): AsyncGenerator<Row[]> {
  let after: readonly unknown[] = part.start;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    const { rows } = await part.rows(userId, tuple(after), PAGE_ROWS).execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (rows.length < PAGE_ROWS || !last) return;
    after = part.key.map((name) => last[name]);
  }
}

const byId = { key: ['id'], start: [0] } as const;
const NO_UUID = '00000000-0000-0000-0000-000000000000';

export const PARTS: readonly ArchivePart[] = [
  {
    name: 'votes',
    about: 'Votes that count or have counted, with the Snaps earned',
    columns: [
      'projectId',
      'project',
      'period',
      'vote',
      'snaps',
      'at',
      'notCounted',
      'decision',
      'daysRead',
      'daysHeld',
    ],
    key: ['projectId', 'period'],
    start: [0, 0],
    rows: (userId, after, limit) => sql`
      WITH page AS MATERIALIZED (
        SELECT * FROM ${votesOf(userId)} o WHERE (project_id, period) > ${after} ORDER BY project_id, period LIMIT ${limit}
      )
      SELECT v.project_id, p.name AS project, v.period, CASE WHEN v.bullish THEN 'bullish' ELSE 'bearish' END AS vote, v.tokens AS snaps,
        v.created_at AS at, (SELECT string_agg(a.detail, '; ') FROM votes_set_aside a
          WHERE a.user_id = v.user_id AND a.project_id = v.project_id AND a.period = v.period) AS not_counted,
        CASE WHEN w.decided_until >= (s.said_at AT TIME ZONE 'UTC')::date THEN s.unreplaced_state END AS decision, e.days_read, e.days_held
      FROM page v JOIN projects p ON p.id = v.project_id LEFT JOIN voter_standing w ON w.user_id = v.user_id
      CROSS JOIN LATERAL (SELECT said_at, unreplaced_state FROM vote_states o
        WHERE o.user_id = v.user_id AND o.project_id = v.project_id AND o.period = v.period OFFSET 0) s
      CROSS JOIN LATERAL (SELECT days_read, days_held FROM vote_evidence x
        WHERE x.user_id = v.user_id AND x.project_id = v.project_id AND x.period = v.period OFFSET 0) e
      ORDER BY v.project_id, v.period`,
  },
  {
    name: 'vote-changes',
    about: 'Votes that you changed or confirmed later, oldest first',
    columns: ['projectId', 'project', 'period', 'day', 'vote', 'was', 'at'],
    key: ['projectId', 'period', 'day'],
    start: [0, 0, '-infinity'],
    rows: (userId, after, limit) => sql`
      SELECT c.project_id, p.name AS project, c.period, c.said_on::text AS day, CASE WHEN c.bullish THEN 'bullish' ELSE 'bearish' END AS vote,
        CASE WHEN c.was_bullish THEN 'bullish' ELSE 'bearish' END AS was, c.said_at AS at
      FROM ${changesOf(userId)} c JOIN projects p ON p.id = c.project_id
      WHERE (c.project_id, c.period, c.said_on) > ${after} ORDER BY c.project_id, c.period, c.said_on LIMIT ${limit}`,
  },
  {
    name: 'undone-votes',
    about: 'Votes and changes that were taken back',
    columns: ['id', 'projectId', 'period', 'vote', 'snaps', 'at', 'undoneAt'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT id, project_id, period, CASE WHEN bullish THEN 'bullish' ELSE 'bearish' END AS vote, tokens AS snaps, created_at AS at, undone_at
      FROM undone_votes WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  },
  {
    name: 'ledger',
    about: 'All other changes of the balance; `ref` is the review or withdrawal',
    columns: ['kind', 'ref', 'snaps', 'at'],
    key: ['kind', 'ref'],
    start: ['vote_reward', 0],
    rows: (userId, after, limit) => sql`
      SELECT kind::text AS kind, ref, amount AS snaps, created_at AS at FROM token_ledger
      WHERE user_id = ${userId} AND (kind, ref) > ${after} ORDER BY token_ledger.kind, ref LIMIT ${limit}`,
  },
  {
    name: 'payments',
    about: 'Orders and payments in SUI; amounts in MIST',
    columns: [
      'id',
      'purpose',
      'state',
      'projectId',
      'amountMist',
      'receivedMist',
      'digest',
      'paidBy',
      'refundedMist',
      'refundDigest',
      'message',
      'order',
      'createdAt',
      'updatedAt',
    ],
    key: ['id'],
    start: [NO_UUID],
    rows: (userId, after, limit) => sql`
      SELECT id, purpose, state, project_id, amount_mist::text AS amount_mist, received_mist::text AS received_mist, digest, paid_by,
        refunded_mist::text AS refunded_mist, refund_digest, message, draft AS order, created_at, updated_at
      FROM payments WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  },
  {
    name: 'withdrawals',
    about: 'Withdrawals of Snaps',
    columns: ['id', 'snaps', 'walletAddress', 'state', 'digest', 'reason', 'createdAt', 'updatedAt'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT id, token_amount AS snaps, wallet_address, state, digest, reason, created_at, updated_at
      FROM withdrawals WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  },
  {
    name: 'projects',
    about: 'Own listings; their pictures are in the folder pictures',
    columns: ['id', 'slug', ...projectTextFields, 'picture', 'createdAt', 'expiresAt', 'hiddenAt', 'hiddenReason'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT id, slug, ${sql.join(projectTextFields.map((field) => sql.ref(field)))}, image_hash AS picture,
        created_at, expires_at, hidden_at, hidden_reason
      FROM projects WHERE owner_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  },
  {
    name: 'versions',
    about:
      'All versions of own listings, with the salts and hashes of the public record; their pictures are in the folder pictures',
    columns: [
      'projectId',
      'number',
      'identity',
      'name',
      'picture',
      'twitterHandle',
      'website',
      'category',
      'description',
      'salt',
      'hash',
      'createdAt',
      'blankedAt',
    ],
    key: ['projectId', 'number'],
    start: [0, 0],
    rows: (userId, after, limit) => sql`
      SELECT v.project_id, v.number, v.identity, v.name, v.image_hash AS picture, v.twitter_handle, v.website, v.category, v.description,
        encode(v.salt, 'hex') AS salt, encode(v.hash, 'hex') AS hash, v.created_at, v.blanked_at
      FROM projects p JOIN listing_versions v ON v.project_id = p.id
      WHERE p.owner_id = ${userId} AND (v.project_id, v.number) > ${after} ORDER BY v.project_id, v.number LIMIT ${limit}`,
  },
  {
    name: 'proofs',
    about: 'Proofs of who controls the coins and packages of own listings',
    columns: [
      'projectId',
      'state',
      'subject',
      'wallet',
      'objectType',
      'objectId',
      'salt',
      'hash',
      'reason',
      'since',
      'checkedAt',
    ],
    key: ['projectId'],
    start: [0],
    rows: (userId, after, limit) => sql`
      SELECT o.project_id, o.state, o.subject, o.wallet, o.object_type, o.object_id, encode(o.salt, 'hex') AS salt, encode(o.hash, 'hex') AS hash,
        o.reason, o.since, o.checked_at
      FROM projects p JOIN ownerships o ON o.project_id = p.id
      WHERE p.owner_id = ${userId} AND (o.project_id) > ${after} ORDER BY o.project_id LIMIT ${limit}`,
  },
  {
    name: 'proof-changes',
    about: 'Changes of these proofs, as the public record has them',
    columns: ['id', 'projectId', 'state', 'hash', 'createdAt'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT e.id, e.project_id, e.state, encode(e.hash, 'hex') AS hash, e.created_at
      FROM projects p JOIN ownership_events e ON e.project_id = p.id
      WHERE p.owner_id = ${userId} AND e.id > ${after} ORDER BY e.id LIMIT ${limit}`,
  },
  {
    name: 'claims',
    about: 'Claims on listings of others, and on own listings those that wait, with the answer',
    columns: ['id', 'projectId', 'project', 'isOwn', 'answer', 'createdAt', 'decidedAt'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT c.id, c.project_id, p.name AS project, c.user_id = ${userId} AS is_own, CASE WHEN p.owner_id = ${userId} THEN c.answer END AS answer,
        c.created_at, c.decided_at
      FROM claims c JOIN projects p ON p.id = c.project_id
      WHERE (c.user_id = ${userId} OR p.owner_id = ${userId} AND c.decided_at IS NULL) AND c.id > ${after} ORDER BY c.id LIMIT ${limit}`,
  },
  {
    name: 'reviews',
    about: 'Reviews and sentences, each of which burned Snaps',
    columns: ['id', 'projectId', 'content', 'createdAt', 'hiddenAt', 'hiddenReason'],
    ...byId,
    // By the ledger, which has an index: each review burned Snaps.
    rows: (userId, after, limit) => sql`
      SELECT r.id, r.project_id, r.content, r.created_at, r.hidden_at, r.hidden_reason
      FROM token_ledger l JOIN reviews r ON r.id = l.ref
      WHERE l.user_id = ${userId} AND l.kind IN ('review_burn', 'sentence_burn') AND l.ref > ${after} ORDER BY l.ref LIMIT ${limit}`,
  },
  {
    name: 'replies',
    about: 'Replies to reviews of own projects',
    columns: ['id', 'projectId', 'content', 'createdAt', 'hiddenAt', 'hiddenReason'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT a.review_id AS id, r.project_id, a.content, a.created_at, a.hidden_at, a.hidden_reason
      FROM projects p JOIN reviews r ON r.project_id = p.id JOIN review_replies a ON a.review_id = r.id
      WHERE p.owner_id = ${userId} AND a.review_id > ${after} ORDER BY a.review_id LIMIT ${limit}`,
  },
  {
    name: 'reports',
    about: 'Reports of projects, reviews and replies',
    columns: ['id', 'subject', 'subjectId', 'reason', 'text', 'createdAt', 'resolvedAt', 'resolution'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT id, subject, subject_id, reason, text, created_at, resolved_at, resolution
      FROM reports WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  },
  {
    name: 'appeals',
    about: 'Appeals against the exclusion of votes, or against hiding a listing',
    columns: ['id', 'projectId', 'text', 'createdAt', 'answer', 'answeredAt'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT id, project_id, text, created_at, answer, answered_at FROM appeals WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  },
  {
    name: 'activity',
    about: 'The activity list',
    columns: ['id', 'kind', 'text', 'snaps', 'amountMist', 'digest', 'createdAt'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT id, kind, text, tokens AS snaps, amount_mist::text AS amount_mist, digest, created_at
      FROM activity WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  },
  {
    name: 'notices',
    about: 'Notifications under the bell',
    columns: ['id', 'kind', 'text', 'link', 'createdAt', 'readAt'],
    ...byId,
    rows: (userId, after, limit) => sql`
      SELECT id, kind, text, link, created_at, read_at FROM notices WHERE user_id = ${userId} AND id > ${after} ORDER BY id LIMIT ${limit}`,
  },
  {
    name: 'reasons',
    about: 'Why you voted: reasons of your present votes',
    columns: ['projectId', 'project', 'period', 'vote', 'reasons', 'givenAt'],
    key: ['projectId', 'period'],
    start: [0, 0],
    rows: (userId, after, limit) => sql`
      SELECT r.project_id, p.name AS project, r.period, CASE WHEN r.bullish THEN 'bullish' ELSE 'bearish' END AS vote,
        array_to_string(ARRAY(SELECT name FROM unnest(${[...REASONS]}::text[]) WITH ORDINALITY AS n (name, bit)
          WHERE r.reasons & (1 << (bit - 1)::int) > 0), ' ') AS reasons, r.given_at
      FROM vote_reasons r JOIN projects p ON p.id = r.project_id
      WHERE r.user_id = ${userId} AND (r.project_id, r.period) > ${after} ORDER BY r.project_id, r.period LIMIT ${limit}`,
  },
  {
    name: 'follows',
    about: 'Projects that you follow by their star',
    columns: ['projectId', 'project', 'since'],
    key: ['projectId'],
    start: [0],
    rows: (userId, after, limit) => sql`
      SELECT f.project_id, p.name AS project, f.since FROM follows f JOIN projects p ON p.id = f.project_id
      WHERE f.user_id = ${userId} AND (f.project_id) > ${after} ORDER BY f.project_id LIMIT ${limit}`,
  },
  {
    name: 'networks',
    about: 'Salted hashes of the networks that votes came from; the salts are gone after a day',
    columns: ['day', 'network'],
    key: ['day', 'network'],
    start: ['', ''],
    rows: (userId, after, limit) => sql`
      SELECT day::text AS day, encode(network, 'hex') AS network FROM voter_networks
      WHERE user_id = ${userId} AND (day::text, encode(network, 'hex')) > ${after} ORDER BY 1, 2 LIMIT ${limit}`,
  },
];
