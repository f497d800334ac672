import { sql } from 'kysely';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import { insertProjects, grantTokens } from '../testing/builders.ts';
import { chainAt, fundedWallet, pay } from '../testing/chain.ts';
import { Client, newUser, signInWith, type TestUser } from '../testing/client.ts';
import { ADMIN_PASSWORD } from '../settings.ts';
import { insertAdmin, OWN_PASSWORD } from '../testing/admin-panel.ts';
import { newDraft, pictureUrl, prepareSubmit, submitPaid } from '../testing/drafts.ts';
import { ADMIN_KEYPAIR } from '../testing/wallets.ts';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import type { Role } from './fingerprints.ts';
import { type Known, madeUpAddress, madeUpDigest, madeUpUuid } from './inputs.ts';
import { Random } from './random.ts';
import type { Stack } from './stack.ts';

/** The sender of requests and its identity. */
export interface Actor {
  role: Role;
  /** 0 without a session. */
  id: number;
  address: string;
  /** Signs in again where the session has ended; returns the headers that identify the actor. */
  headers(): Promise<Record<string, string>>;
}

export interface Cast {
  actors: Record<Role, Actor>;
  known: Known;
}

const TOKENS = 30_000;

async function enrich(stack: Stack, user: TestUser): Promise<void> {
  await grantTokens(stack.client.db, user.id, TOKENS);
}

/** A user with data of every kind, which no other user may change. */
async function createVictim(stack: Stack, url: string): Promise<{ user: TestUser; paymentId: string; digest: string }> {
  const chain = chainAt(stack);
  const user = await newUser({ url }, await fundedWallet(chain));
  await enrich(stack, user);
  const draft = await newDraft({ name: 'Victim Swap' });
  const { paymentId } = (await prepareSubmit(user, await newDraft({ name: 'Victim Draft' }))).body;
  const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST, ADMIN_KEYPAIR.toSuiAddress());
  const listed = await submitPaid<{ id: number }>(user, draft, digest);
  await user.post(`/api/projects/${listed.body.id}/reviews`, { userId: user.id, content: 'A review of the victim' });
  await user.post('/api/withdrawals', { userId: user.id, walletAddress: user.address, tokenAmount: 60 });
  return { user, paymentId, digest };
}

function actorOf(role: Role, user: TestUser): Actor {
  return {
    role,
    id: user.id,
    address: user.address,
    async headers() {
      if ((await user.get('/api/auth/sessions')).status === 401) await signInWith(user, user.wallet);
      return { cookie: user.cookie };
    },
  };
}

/** In the admin panel, with a password login. */
function adminOf(stack: Stack, role: Role, user: TestUser, password: string): Actor {
  const actor = actorOf(role, user);
  let token = '';
  return {
    ...actor,
    async headers() {
      const { cookie = '' } = await actor.headers();
      const { status } = await user.get('/api/admin/overview', { [ADMIN_TOKEN_HEADER]: token });
      if (status !== 200) {
        // The fuzz tries wrong passwords, too.
        await sql`DELETE FROM admin_login_attempts`.execute(stack.client.db);
        const login = await user.post<{ sessionToken: string }>('/api/admin/login', {
          walletAddress: user.address,
          password,
        });
        token = login.body.sessionToken;
      }
      return { cookie, [ADMIN_TOKEN_HEADER]: token };
    },
  };
}

/** Six roles and a victim, with data of each, and their names and ids. */
export async function createCast(stack: Stack, seed: number): Promise<Cast> {
  const { db } = stack.client;
  const { url } = stack.servers[0];
  await insertProjects(db, 20);
  const victim = await createVictim(stack, url);
  const user = await newUser({ url });
  const owner = await newUser({ url });
  const admin = await newUser({ url }, ADMIN_KEYPAIR);
  const payer = await newUser({ url });
  const moderator = await newUser({ url });
  await insertAdmin(db, 'payer', payer.address);
  await insertAdmin(db, 'moderator', moderator.address);
  for (const one of [user, owner]) await enrich(stack, one);
  const owned = await insertProjects(db, 2, { ownerId: owner.id });
  const draft = await prepareSubmit(owner, await newDraft({ name: 'Owner Draft' }));
  const cursor = (await new Client(url).get('/api/projects?limit=1')).headers.get('x-next-cursor') ?? 'x';
  const { rows } = await sql<{ slug: string; id: number }>`SELECT slug, id FROM projects ORDER BY id LIMIT 30`.execute(
    db,
  );
  const made = new Random(seed);
  const people = [user, owner, victim.user, admin, payer, moderator];
  const addresses = people.map(({ address }) => address);
  const withdrawals = await db.selectFrom('withdrawals').select('id').execute();
  return {
    actors: {
      nobody: { role: 'nobody', id: 0, address: '0x0', headers: async () => ({}) },
      user: actorOf('user', user),
      owner: actorOf('owner', owner),
      admin: adminOf(stack, 'admin', admin, ADMIN_PASSWORD),
      payer: adminOf(stack, 'payer', payer, OWN_PASSWORD),
      moderator: adminOf(stack, 'moderator', moderator, OWN_PASSWORD),
    },
    known: {
      ...knownWords(),
      userId: [user.id, ...people.map(({ id }) => id)],
      'users.id': [user.id, ...people.map(({ id }) => id), '01', 0],
      projectId: [owned[0] ?? 1, ...rows.map(({ id }) => id), 999_999],
      'projects.id': [rows[0]?.slug ?? 'x', ...rows.flatMap(({ id, slug }) => [id, slug, slug.toUpperCase()]), '007'],
      'payments.id': [victim.paymentId, draft.body.paymentId, madeUpUuid(made)],
      'auth.id': [madeUpUuid(made)],
      'admin.id': [victim.paymentId, ...withdrawals.map(({ id }) => id), madeUpUuid(made), 1, 2],
      withdrawalIds: [withdrawals.map(({ id }) => id), [1, 1], [1, 2, 3]],
      walletAddress: [user.address, ...addresses, madeUpAddress(made)],
      submittedBy: [user.address, ...addresses],
      address: [user.address, ...addresses, addresses[0]?.toUpperCase()],
      transactionHash: [victim.digest, madeUpDigest(made), madeUpDigest(made)],
      cursor: [cursor, `${cursor}x`, cursor.slice(1)],
      imageUrl: [await pictureUrl(), 'data:image/png;base64,AAAA', ''],
      avatarUrl: [await pictureUrl(90, 40, 40), 'data:image/svg+xml;base64,AAAA', null],
    },
  };
}

/** Known values, mostly with the actor's own name where one is needed: otherwise nothing passes the first check. */
export function knownTo({ id, address }: Actor, known: Known): Known {
  const mostly = (own: unknown, name: string): readonly [unknown, ...unknown[]] => [
    own,
    ...Array.from({ length: 30 }, () => own),
    ...(known[name] ?? []),
  ];
  return {
    ...known,
    userId: mostly(id, 'userId'),
    'users.id': mostly(id, 'users.id'),
    walletAddress: mostly(address, 'walletAddress'),
    submittedBy: mostly(address, 'submittedBy'),
    address: mostly(address, 'address'),
  };
}

function knownWords(): Known {
  return {
    limit: [1, 3, 8, 50, 500, 10_000, 10_001, 0, -1],
    voteType: ['bullish', 'bearish'],
    tokenAmount: [50, 51, 49, '50', 1e9, -50, 50.5, 60],
    content: ['A review', 'x'.repeat(200), 'x'.repeat(201), '😀'.repeat(200), '\u200B'],
    name: ['Coral Swap', 'x'.repeat(60), 'x'.repeat(61), '語'.repeat(60), 'admin', '2', '\u3164'],
    category: ['DeFi', 'Social', 'defi'],
    description: ['Swaps coins', 'x'.repeat(200), '😀'.repeat(201)],
    twitterHandle: ['https://x.com/coral', '@coral', 'javascript:alert(1)', 'https://x.com/\u0000'],
    website: ['https://coral.example', 'http://[::1', 'javascript:alert(1)', `https://${'x'.repeat(480)}.com`, null],
    username: ['coral_reader', 'CORAL_reader', 'admin', 'ab', 'ı_İ_ß', null, ''],
    twitterLink: ['https://x.com/a', 'https://evil.example/x.com', null],
    telegramLink: ['https://t.me/a', 'http://t.me', ''],
    password: ['wrong-password', 'x'.repeat(1000)],
    nonce: ['made-up', 'x'.repeat(64)],
    signature: ['A'.repeat(130), 'BQ'.repeat(2000), 'x'.repeat(19_000)],
    bytes: ['AAAA', 'A'.repeat(1000), '=', 'AAAC'.repeat(100)],
    q: ['Victim', '%', '_', '\\', "'", 'x '.repeat(100)],
    reason: ['spam', '', 'x'.repeat(300), 'x'.repeat(301)],
    note: ['sent back', ''],
    amountMist: ['1', '15000000000', '99999999999999999999', '0'],
    sqlQuery: [
      'SELECT 1',
      'SELECT * FROM users',
      'SELECT pg_sleep(0.01)',
      "SELECT repeat('x', 1000000)",
      'UPDATE user_stats SET balance = balance + 1',
      'SELECT 1; SELECT 2',
      'DELETE FROM token_ledger',
      'SELECT * FROM sessions',
      "SELECT E'\\x00'",
      'SELECT 1/0',
      'DO $$ BEGIN RAISE EXCEPTION USING MESSAGE = repeat(chr(8238), 10); END $$',
      '',
      ';',
    ],
  };
}
