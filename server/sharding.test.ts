import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { createTestDatabase } from '#lab/testing/app.ts';
import { insertProject, insertUser } from '#lab/testing/builders.ts';
import { createVoteEngine } from './voting/votes/engine.ts';

/*
 * The rules of a database that is split by user over several nodes (those of Citus, and of any other way), as far as one PostgreSQL can
 * check them. docs/operate/scaling.md says what the split looks like. No Citus has run this schema.
 */

/** Where each table is. `id`, `project_id`: split by a hash of this column, as tables that are not named are by `user_id`. */
const PLACES = {
  id: 'users',
  project_id: 'reviews',
  /** A copy on every node: read by all, written rarely. */
  copies:
    'blanked_pictures books change_notices config expiry_notices former_totals identity_changes images listing_versions network_salts opinion_days ownership_events ownerships packages payment_recipients project_days project_events_days project_slugs project_trends project_turns projects reason_figures recorded_totals review_replies verified_stats',
  /** Rows of each node's own, which are added up when they are read. */
  'per node': 'project_stats',
  /** On the coordinator alone: the admin's tables, jobs, and the record. */
  coordinator:
    'account_keys admin_login_attempts admin_sessions admins audit_log auth_challenges backups catalogue_imports closed_days database_copies deleted_wallets deletion_marks invariant_runs job_runs log_anchors log_checkpoints log_cosignatures log_files record_digests recounted_totals restores rhythm_days schema_migrations staged_files standing_days standing_readings storage_figures top_voters totals totals_state vote_state_days vote_totals',
} as const;
type Place = keyof typeof PLACES | 'user_id';
const SPLIT: ReadonlySet<Place> = new Set(['user_id', 'id', 'project_id']);

/**
 * Keys without the column that their table is split by, and what becomes of each. A key (id) of a table of users becomes (user_id, id): ids
 * stay unique, as they come from one sequence or are random.
 */
const KEYS_TO_CHANGE: Record<string, string> = {
  'appeals (project_id)': 'becomes (user_id, project_id), as the owner of a listing appeals',
  'claims (project_id)':
    'becomes (user_id, project_id); the listing, which is a copy on every node, says that a claim is open',
  'push_subscriptions (token_hash)': 'becomes (user_id, token_hash)',
  'push_subscriptions (endpoint)':
    'becomes (user_id, endpoint); an endpoint that passes to another user is deleted by a statement',
  'reviews (id)': 'becomes (project_id, id)',
  'sessions (token_hash)': 'becomes (user_id, token_hash); the cookie then begins with the id of the user',
  'standing_reads (day, reading, place)': 'becomes (user_id, day, reading); each node draws its own order',
  'payments (chain_id, digest)':
    'moves to a table split by digest, so that one payment counts once on all nodes together',
  'users (wallet_address)': 'moves to a table split by address, which leads a sign-in to its node',
  'users (lower(username))': 'moves to a table split by name',
};

const REFERENCES_TO_CHANGE: Record<string, string> = {
  'admin_sessions (session_hash) → sessions': 'is dropped: the end of a session ends its admin session by a statement',
  'push_messages (subscription_id) → push_subscriptions': 'gets the user, too',
  'push_subscriptions (token_hash) → sessions': 'gets the user, too',
  'claims (refund_payment_id) → payments': 'is dropped: the payment is of the lister, on another node',
  'projects (import_id) → catalogue_imports': 'is dropped: the coordinator, which makes the imports, writes both',
  'projects (owner_id) → users': 'is dropped: accounts are never deleted as rows',
  'review_replies (review_id) → reviews': 'moves with its review: split by project, too',
  'reviews (user_id) → users': 'is dropped: accounts are never deleted as rows',
};

const placeOf = new Map<string, Place>(
  Object.entries(PLACES).flatMap(([place, names]) => names.split(' ').map((name) => [name, place as Place] as const)),
);
const isSplit = (table: string): boolean => SPLIT.has(placeOf.get(table) ?? 'coordinator');

const created = await createTestDatabase();
const database = openDatabase(created.url, { maxConnections: 4 });
const { db } = database;
afterAll(async () => {
  await database.close();
  await created.drop();
});
const withUser = await sql<{ name: string }>`
  SELECT c.table_name AS name FROM information_schema.columns c JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = 'public'
  WHERE c.table_schema = 'public' AND c.column_name = 'user_id'`.execute(db);
for (const { name } of withUser.rows) if (!placeOf.has(name)) placeOf.set(name, 'user_id');

describe('the schema of a split database', () => {
  test('every table has a place in a split database', async () => {
    const { rows } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`.execute(db);
    expect([...placeOf.keys()].sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  test('each key has the column that its table is split by, except for the listed ones', async () => {
    const { rows } = await sql<{ table: string; columns: string }>`
      SELECT c.relname AS table, (SELECT string_agg(pg_get_indexdef(i.indexrelid, n, true), ', ' ORDER BY n)
        FROM generate_series(1, i.indnkeyatts) n) AS columns
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace`.execute(db);
    const without = rows
      .filter(({ table, columns }) => isSplit(table) && !columns.split(', ').includes(placeOf.get(table) ?? ''))
      .filter(({ table, columns }) => columns !== 'id' || placeOf.get(table) !== 'user_id')
      .map(({ table, columns }) => `${table} (${columns})`);
    expect([...new Set(without)].sort()).toEqual(Object.keys(KEYS_TO_CHANGE).sort());
    // Reads and writes of a vote: only the token of the session has to change.
    const ofVotes = without.filter((key) => /^(?:votes|user_stats|sessions|voter_networks)\b/.test(key));
    expect(ofVotes).toEqual(['sessions (token_hash)']);
  });

  test('foreign keys stay within a node or lead to tables that every node has, except for the listed ones', async () => {
    const { rows } = await sql<{ from: string; to: string; columns: string; targets: string }>`
      SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to,
        (SELECT string_agg(attname, ', ') FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns,
        (SELECT string_agg(attname, ', ') FROM pg_attribute WHERE attrelid = confrelid AND attnum = ANY (confkey)) AS targets
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`.execute(db);
    const within = ({ from, to, columns, targets }: (typeof rows)[number]): boolean => {
      if (placeOf.get(to) === 'copies') return placeOf.get(from) !== 'coordinator' || from === to;
      if (isSplit(from) && isSplit(to)) return columns === placeOf.get(from) && targets === placeOf.get(to);
      return placeOf.get(from) === 'coordinator' && placeOf.get(to) === 'coordinator';
    };
    const across = rows.filter((row) => !within(row)).map(({ from, to, columns }) => `${from} (${columns}) → ${to}`);
    expect(across.sort()).toEqual(Object.keys(REFERENCES_TO_CHANGE).sort());
  });
});

/*
 * A node has the rows of some users. Policies of the tables make this database one: what a statement looks for or writes of a user of
 * another node is not there. Votes that come out as ever therefore need no other node.
 */
describe('a vote in a split database', () => {
  const role = `node_${created.url.slice(-12)}`;
  const users: number[] = [];
  const projects: number[] = [];
  const onNode = openDatabase(created.url, { maxConnections: 2 });
  const token = (userId: number): Buffer => Buffer.from(`token of ${userId}`);

  beforeAll(async () => {
    for (let each = 0; each < 4; each += 1) users.push(await insertUser(db));
    for (let each = 0; each < 3; each += 1) projects.push(await insertProject(db));
    for (const userId of users)
      await db
        .insertInto('sessions')
        .values({ tokenHash: token(userId), userId, expiresAt: new Date(Date.now() + 3_600_000) })
        .execute();
    const statements = [
      `CREATE ROLE ${role}`,
      `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
      `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
      // They would see all nodes as the tables' owner does.
      ...['check_balance()', 'user_stats_changed()', 'user_stats_deleted()'].map(
        (name) => `ALTER FUNCTION ${name} SECURITY INVOKER`,
      ),
    ];
    for (const [table, place] of placeOf)
      if (isSplit(table))
        statements.push(
          `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
          // In one statement a row that is not visible would only be missing; a row that must not be written is an error.
          `CREATE POLICY node ON ${table} USING (${place} = ANY (ARRAY[${users.slice(0, 2).join()}]))`,
        );
    for (const statement of statements) await sql.raw(statement).execute(db);
    onNode.pool.on('connect', (client) => void client.query(`SET ROLE ${role}`));
  });
  afterAll(async () => {
    await onNode.close();
    await sql.raw(`DROP OWNED BY ${role}`).execute(db);
    await sql.raw(`DROP ROLE ${role}`).execute(db);
  });

  const cast = async (userIds: number[]): Promise<string[]> => {
    const engine = createVoteEngine(onNode.pool);
    const votes = userIds.flatMap((userId) =>
      projects.map((projectId) => engine.castVote({ tokenHash: token(userId), userId, projectId, bullish: true })),
    );
    const outcomes = await Promise.all(votes);
    await engine.close();
    return outcomes.map(({ decided }) => decided);
  };
  const stored = async () =>
    (await db.selectFrom('votes').select(['userId', 'projectId']).orderBy('userId').orderBy('projectId').execute()).map(
      ({ userId, projectId }) => `${userId} ${projectId}`,
    );

  test("a vote needs nothing of other nodes: batches of one node's users are counted, rewarded and undone there", async () => {
    const [one = 0, other = 0] = users;
    expect(new Set(await cast([one, other]))).toEqual(new Set(['counted']));
    expect(await cast([one])).toEqual(projects.map(() => 'already_voted'));
    expect(await stored()).toEqual([one, other].flatMap((userId) => projects.map((id) => `${userId} ${id}`)));
    // Only the newest vote of a user can be undone, whichever batch it came with (R59).
    const newest = await db
      .selectFrom('votes')
      .select('projectId')
      .where('userId', '=', one)
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow();
    const undone = await sql<{ outcome: string }>`
      SELECT undo_vote(${one}, ${newest.projectId}, interval '1 hour') AS outcome`.execute(onNode.db);
    expect(undone.rows).toEqual([{ outcome: 'undone' }]);
    const balances = await db
      .selectFrom('userStats')
      .select('balance')
      .where('userId', 'in', users)
      .orderBy('userId')
      .execute();
    expect(balances.map(({ balance }) => balance)).toEqual([20, 30, 0, 0]);
  });

  test("a vote of another node's user finds no user here, and leaves nothing", async () => {
    const before = await stored();
    expect(new Set(await cast(users.slice(2)))).toEqual(new Set(['not_signed_in']));
    expect(await stored()).toEqual(before);
  });
});
