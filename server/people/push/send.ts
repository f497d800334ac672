import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { eachRow, restingRows } from '#db/each-row.ts';
import { deleteInBatches } from '#db/delete-in-batches.ts';
import type { Db } from '#db/client.ts';
import type { PushKind } from '#shared/people/push-kinds.ts';
import { deliver } from './deliver.ts';
import { Pauses } from './pauses.ts';
import { deleteSubscription, markRejected } from './queries.ts';
import type { Services } from '#server/kit/services.ts';

const BATCH = 100;
const MESSAGE = 'push message';
const AT_ONCE = 25;
/** Another server, or the next run, takes up what this one claimed and did not finish. Longer than a batch of timeouts takes. */
const CLAIMED_FOR = sql`interval '5 minutes'`;
/** One run ends after this time, so that a shutdown does not wait for a long queue. */
const MOST_MS = 60_000;
const MOST_ATTEMPTS = 6;
const FIRST_RETRY_S = 30;

interface Claimed {
  id: number;
  subscriptionId: number;
  kind: PushKind;
  text: string;
  link: string;
  ttlS: number;
  attempts: number;
  endpoint: string;
  publicKey: Buffer;
  authSecret: Buffer;
  siteKey: Buffer | null;
}

async function claim(db: Db): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    UPDATE push_messages m SET due_at = now() + ${CLAIMED_FOR}, attempts = m.attempts + 1 FROM push_subscriptions s
    WHERE s.id = m.subscription_id AND m.id IN (
      SELECT id FROM push_messages WHERE due_at <= now() AND expires_at > now() ORDER BY due_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING m.id, m.subscription_id AS "subscriptionId", m.kind, m.text, m.link, m.attempts, s.endpoint, s.public_key AS "publicKey",
      s.auth_secret AS "authSecret", s.site_key AS "siteKey", ceil(extract(epoch FROM m.expires_at - now()))::int AS "ttlS"`.execute(
    db,
  );
  return rows;
}

const endMessage = (db: Db, id: number) => sql`UPDATE push_messages SET due_at = NULL WHERE id = ${id}`.execute(db);

const postpone = (db: Db, id: number, seconds: number, attempts: number) =>
  sql`UPDATE push_messages SET due_at = now() + ${seconds}::int * interval '1 second', attempts = ${attempts} WHERE id = ${id}`.execute(
    db,
  );

const TITLES: Record<PushKind, string> = {
  money: 'Snaps and answers',
  project: 'News about a project',
  votes_back: 'Your votes are back',
};

/** Names a message when it is sent again. Push services read it, and its number would tell them the total of the site. */
const topicOf = ({ id, authSecret }: Claimed): string =>
  createHmac('sha256', authSecret).update(String(id)).digest('base64url').slice(0, 32);

async function sendOne({ db, config, log }: Services, pauses: Pauses, message: Claimed): Promise<void> {
  const { id, attempts, kind, text, link, ttlS, endpoint } = message;
  const pauseS = pauses.pauseOf(endpoint);
  if (pauseS !== undefined) return void (await postpone(db, id, pauseS, attempts - 1));
  const topic = topicOf(message);
  const payload = { title: TITLES[kind], body: text, link, tag: topic };
  const delivery = await deliver(config, message, { payload, ttlS, topic });
  pauses.note(endpoint, delivery);
  if (delivery.result === 'gone') return deleteSubscription(db, message.subscriptionId);
  if (delivery.result === 'failed' && attempts < MOST_ATTEMPTS)
    return void (await postpone(db, id, delivery.retryAfterS ?? FIRST_RETRY_S * 4 ** (attempts - 1), attempts));
  if (delivery.result !== 'sent')
    log.warn({ host: new URL(endpoint).host, reason: delivery.reason }, 'a push message was not sent');
  if (delivery.result === 'rejected') await markRejected(db, message.subscriptionId);
  await endMessage(db, id);
}

/**
 * Sends the push messages that are due (R78). A message that a push service does not take is tried again, later each
 * time, until it expires; a browser that is gone leaves. Messages are claimed, so that several servers may run this.
 * Returns the number of attempts.
 */
export async function sendPush(services: Services): Promise<number> {
  const { db, config } = services;
  await deleteInBatches(db, {
    table: 'push_messages',
    find: (limit) =>
      sql`SELECT ctid FROM push_messages WHERE created_at < now() - interval '1 day' ORDER BY created_at LIMIT ${limit}`,
  });
  if (config.pushKey === null) return 0;
  const pauses = new Pauses(config);
  restingRows(db, MESSAGE);
  const endMs = performance.now() + MOST_MS;
  let attempts = 0;
  while (performance.now() < endMs) {
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    const messages = await claim(db);
    if (messages.length === 0) break;
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    await eachRow(db, { of: MESSAGE, idOf: ({ id }) => id, atOnce: AT_ONCE }, messages, async ([message]) => {
      if (message) await sendOne(services, pauses, message);
    });
    attempts += messages.length;
  }
  return attempts;
}
