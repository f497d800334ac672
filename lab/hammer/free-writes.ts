import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { toBase58 } from '@mysten/sui/utils';
import type { Db } from '#db/client.ts';
import { Client, signInWith, type TestUser } from '../testing/client.ts';
import { deleteAccount } from '../testing/deletion.ts';
import { newDraft, type Prepared } from '../testing/drafts.ts';
import { ageVotes } from '../testing/opinions.ts';
import { insertExcludedVote } from '../testing/standing.ts';
import { newPushBrowser } from '../push/browser.ts';
import { PUSH_KINDS } from '#shared/push-kinds.ts';
import { EVENT_KINDS, EVENT_SOURCES } from '#shared/events.ts';

/** Requests of one address within an hour, by the default limits of docs/operate/operations.md. */
const WRITES_PER_HOUR = 36_000;
const UPLOADS_PER_HOUR = 3_600;
const SIGN_INS_PER_HOUR = 18_000;
const CHALLENGES_PER_HOUR = 600;
/** Number of listings. */
export const PROJECTS = 130;
const EVENTS = EVENT_KINDS.flatMap((kind) => EVENT_SOURCES.map((source) => ({ kind, source })));
/** Cached reads have no such limit; the bound is what each server serves one address. */
const READS_PER_HOUR = 1_080_000;

/** Requests of a wallet without SUI, each as large as the server accepts. */
export interface FreeWrite {
  name: string;
  /** The endpoints of the contract that it sends to. */
  endpoints: string[];
  perHour: number;
  /** Requests of a wallet in flight at the same time. */
  atOnce?: number;
  /** Part of it is stored some seconds later. */
  isLate?: boolean;
  /** The error by which it may be rejected; null: never, as the first half shows. */
  accepted?: number | null;
  /** It keeps an account from being deleted for a day. */
  isInTheWay?: boolean;
  prepare?: (user: TestUser, db: Db) => Promise<unknown>;
  /** Sends it for the n-th time as this user; returns the status. */
  send(user: TestUser, n: number): Promise<number>;
}

type Sent = Promise<{ status: number }>;
const statusOf = async (sent: Sent): Promise<number> => (await sent).status;

const madeUpDigest = () => toBase58(randomBytes(32));
const letters = (count: number) => randomBytes(count).toString('hex').slice(0, count);
const urlOf = (host: string) => `https://${host}/${letters(12)}`;

/** Content that no encoder makes smaller. */
async function noise(width: number, height: number): Promise<string> {
  const raw = { width, height, channels: 3 } as const;
  const png = await sharp(randomBytes(width * height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

const noisyDraft = async () =>
  newDraft({ name: letters(40), description: letters(200), imageUrl: await noise(640, 640) });
const orderOf = async (user: TestUser) =>
  user.post<Prepared>('/api/payments', { purpose: 'submit', draft: await noisyDraft() });

const castVote = (user: TestUser, projectId: number) =>
  user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });
async function castSome(user: TestUser): Promise<void> {
  for (let projectId = 1; projectId <= 20; projectId += 1) await castVote(user, projectId);
}

/** A made-up browser instead of a separate address for each. */
const asBrowser = (n: number) => ({ 'user-agent': `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/${n}.0` });

async function signInAgain(user: TestUser): Promise<Client> {
  const client = new Client(user.url);
  await signInWith(client, user.wallet);
  return client;
}

async function endOne(client: Client, n: number): Sent {
  if (n % 3 === 0) return client.post('/api/auth/logout');
  if (n % 3 === 1) return client.send('DELETE', '/api/auth/sessions?keepCurrent=true');
  const { body } = await client.get<Array<{ id: string }>>('/api/auth/sessions');
  return client.send('DELETE', `/api/auth/sessions/${body[0]?.id}`);
}

/** Every way to write without a payment; lab/hammer/storage.ts compares them with the contract. */
export const FREE_WRITES: readonly FreeWrite[] = [
  {
    name: 'votes',
    endpoints: ['votes.castVote'],
    perHour: WRITES_PER_HOUR,
    isLate: true,
    send: (user, n) => statusOf(castVote(user, 1 + n)),
  },
  {
    name: 'votes that are taken back',
    endpoints: ['votes.undoVote'],
    perHour: WRITES_PER_HOUR / 2,
    // Only the newest vote can be undone, or shown.
    atOnce: 1,
    isLate: true,
    async send(user, n) {
      await castVote(user, 1 + (n % 10));
      return statusOf(user.send('DELETE', `/api/votes/${1 + (n % 10)}`));
    },
  },
  {
    name: 'votes that are changed',
    endpoints: ['votes.changeVote'],
    perHour: WRITES_PER_HOUR / 2,
    isLate: true,
    // A minute has to pass after a vote before it can be changed.
    async prepare(user, db) {
      await castSome(user);
      await ageVotes(db, user.id, '1 day');
    },
    send: (user, n) =>
      statusOf(user.send('PUT', `/api/votes/${1 + (n % 20)}`, { voteType: n % 2 === 0 ? 'bearish' : 'bullish' })),
  },
  {
    name: 'results that are shown',
    endpoints: ['votes.showResult'],
    perHour: WRITES_PER_HOUR / 2,
    // Only the newest vote can be undone, or shown.
    atOnce: 1,
    isLate: true,
    async send(user, n) {
      await castVote(user, 1 + (n % 10));
      return statusOf(user.post(`/api/votes/${1 + (n % 10)}/result`));
    },
  },
  {
    name: 'profiles with other names and links',
    endpoints: ['users.updateUser', 'users.replaceUser'],
    perHour: UPLOADS_PER_HOUR,
    send: (user, n) =>
      statusOf(
        user.send(n % 2 === 0 ? 'PATCH' : 'PUT', `/api/users/${user.id}`, {
          username: letters(24),
          twitterLink: urlOf('x.com'),
          telegramLink: urlOf('t.me'),
          discordLink: urlOf('discord.gg'),
        }),
      ),
  },
  {
    name: 'profiles with other pictures',
    endpoints: ['users.updateUser'],
    perHour: UPLOADS_PER_HOUR,
    send: async (user) => statusOf(user.patch(`/api/users/${user.id}`, { avatarUrl: await noise(320, 320) })),
  },
  {
    name: 'orders with pictures, canceled',
    endpoints: ['payments.preparePayment', 'payments.cancelPayment'],
    perHour: UPLOADS_PER_HOUR,
    async send(user) {
      const { status, body } = await orderOf(user);
      if (status === 201) await user.post(`/api/payments/${body.paymentId}/cancel`);
      return status;
    },
  },
  {
    name: 'orders with made-up signatures and digests',
    endpoints: ['payments.executePayment'],
    perHour: WRITES_PER_HOUR,
    isInTheWay: true,
    prepare: orderOf,
    async send(user, n) {
      const { body } = await user.get<Array<{ paymentId: string }>>('/api/payments');
      const bytes = randomBytes(12_000).toString('base64');
      const signature = randomBytes(13_000).toString('base64');
      const proof = n % 2 === 0 ? { bytes, signature } : { transactionHash: madeUpDigest() };
      return statusOf(user.post(`/api/payments/${body[0]?.paymentId}/execute`, proof));
    },
  },
  {
    name: 'claims of transactions nobody has seen',
    endpoints: ['projects.createProject', 'projects.renewProject', 'projects.updateProject'],
    perHour: UPLOADS_PER_HOUR,
    isInTheWay: true,
    async send(user, n) {
      const transactionHash = madeUpDigest();
      if (n % 3 === 0) return statusOf(user.post('/api/projects/999999/renew', { transactionHash }));
      const draft = { ...(await noisyDraft()), submittedBy: user.address, transactionHash };
      if (n % 3 === 1) return statusOf(user.post('/api/projects', draft));
      return statusOf(user.patch('/api/projects/999999/update', draft));
    },
  },
  {
    name: 'claims that fail at once',
    endpoints: ['projects.createProject'],
    accepted: 400,
    perHour: UPLOADS_PER_HOUR,
    isInTheWay: true,
    send: async (user) =>
      statusOf(
        user.post('/api/projects', {
          ...(await noisyDraft()),
          submittedBy: user.address,
          transactionHash: `l${letters(40)}`,
        }),
      ),
  },
  {
    name: 'reports',
    endpoints: ['reports.postReport'],
    perHour: WRITES_PER_HOUR,
    send: (user, n) =>
      statusOf(
        user.post('/api/reports', { subject: 'project', subjectId: 1 + n, reason: 'other', text: letters(300) }),
      ),
  },
  {
    name: 'proofs for the listings of others',
    endpoints: ['ownership.proveOwnership'],
    perHour: WRITES_PER_HOUR,
    accepted: 403,
    send: (user, n) => statusOf(user.post(`/api/projects/${1 + (n % PROJECTS)}/ownership`, {})),
  },
  {
    name: 'appeals',
    endpoints: ['standing.postAppeal'],
    perHour: WRITES_PER_HOUR,
    prepare: (user, db) => insertExcludedVote(db, user.id),
    send: (user) => statusOf(user.post('/api/appeals', { text: letters(500) })),
  },
  {
    name: 'reviews and replies',
    endpoints: ['reviews.postReview', 'reviews.replyToReview', 'reviews.deleteReply'],
    accepted: null,
    perHour: WRITES_PER_HOUR,
    async send(user, n) {
      const content = letters(200);
      if (n % 3 === 0) return statusOf(user.post(`/api/projects/${1 + n}/reviews`, { userId: user.id, content }));
      return statusOf(user.send(n % 3 === 1 ? 'PUT' : 'DELETE', '/api/reviews/1/reply', { content }));
    },
  },
  {
    name: 'withdrawals',
    endpoints: ['withdrawals.requestWithdrawal'],
    perHour: WRITES_PER_HOUR,
    prepare: castSome,
    send: (user) =>
      statusOf(
        user.post(
          '/api/withdrawals',
          { userId: user.id, walletAddress: user.address, tokenAmount: 50 },
          { 'idempotency-key': letters(40) },
        ),
      ),
  },
  {
    name: 'sign-ins',
    endpoints: ['auth.signIn'],
    perHour: SIGN_INS_PER_HOUR,
    send: (user) => statusOf(signInWith(new Client(user.url), user.wallet)),
  },
  {
    name: 'sign-ins that are left unfinished',
    endpoints: ['auth.signIn'],
    perHour: CHALLENGES_PER_HOUR,
    accepted: 401,
    send: (user) => statusOf(new Client(user.url).post('/api/auth/wallet', { walletAddress: user.address })),
  },
  {
    name: 'sessions that are ended',
    endpoints: ['auth.signOut', 'auth.endSession', 'auth.endSessions'],
    perHour: SIGN_INS_PER_HOUR,
    // Sessions end each other.
    atOnce: 1,
    send: async (user, n) => statusOf(endOne(await signInAgain(user), n)),
  },
  {
    name: 'archives',
    endpoints: ['accounts.getArchive'],
    perHour: READS_PER_HOUR,
    send: (user) => statusOf(user.get(`/api/users/${user.id}/archive`)),
  },
  {
    name: `events of ${PROJECTS} projects`,
    endpoints: ['insights.recordEvent'],
    // A row for each project, kind and source, by any sender; a day's counts are in it.
    perHour: PROJECTS * EVENTS.length,
    isLate: true,
    send: (user, n) =>
      statusOf(
        user.post(
          `/api/projects/${1 + (n % PROJECTS)}/events`,
          EVENTS[Math.floor(n / PROJECTS) % EVENTS.length],
          asBrowser(n),
        ),
      ),
  },
  {
    name: 'notices marked as read',
    endpoints: ['notices.readNotices'],
    perHour: WRITES_PER_HOUR,
    send: (user, n) => statusOf(user.post(`/api/users/${user.id}/notices/read`, { upTo: 1 + n })),
  },
  {
    name: 'kinds of push messages',
    endpoints: ['push.choosePush', 'push.endPush'],
    perHour: WRITES_PER_HOUR,
    send: (user, n) =>
      n % 2 === 0
        ? statusOf(user.send('PUT', `/api/users/${user.id}/push`, { kinds: PUSH_KINDS }))
        : statusOf(user.send('DELETE', `/api/users/${user.id}/push`)),
  },
  {
    name: 'test messages to no browser',
    endpoints: ['push.testPush'],
    accepted: null,
    perHour: WRITES_PER_HOUR,
    send: (user) => statusOf(user.post(`/api/users/${user.id}/push/test`)),
  },
  {
    name: 'browsers for push messages',
    endpoints: ['push.subscribePush'],
    perHour: WRITES_PER_HOUR,
    send: (user) => {
      const { subscription } = newPushBrowser('https://fcm.googleapis.com', letters(900));
      return statusOf(user.post(`/api/users/${user.id}/push/subscription`, subscription));
    },
  },
  {
    name: 'password logins of no admin',
    endpoints: ['admin.adminLogin'],
    accepted: null,
    perHour: WRITES_PER_HOUR,
    send: (user) => statusOf(user.post('/api/admin/login', { walletAddress: user.address, password: letters(40) })),
  },
  {
    name: 'accounts that are deleted and return',
    endpoints: ['accounts.deleteAccount'],
    perHour: CHALLENGES_PER_HOUR,
    atOnce: 1,
    isInTheWay: true,
    async send(user) {
      const client = Object.assign(new Client(user.url), { wallet: user.wallet, address: user.address, id: 0 });
      const { status, body } = await signInWith(client, user.wallet);
      if (status !== 200) return status;
      client.id = (body as { user: { id: number } }).user.id;
      return statusOf(deleteAccount(client));
    },
  },
];
