import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { newDraft, pictureUrl, prepareSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import { deleteUnused } from './delete-unused.ts';

const chain = sharedChain();
const server = await createTestApp();
const { services } = server;
const { db } = services;

let shade = 0;
/** A picture that no other test has. */
const freshPicture = () => pictureUrl((shade += 1), 64 + shade, 80);

const hashes = async () => new Set((await db.selectFrom('images').select('hash').execute()).map(({ hash }) => hash));

/** Makes everything stored older: pictures, payments and drafts. */
async function daysPass(days: number): Promise<void> {
  const earlier = sql`${days} * interval '1 day'`;
  await sql`UPDATE images SET created_at = created_at - ${earlier}`.execute(db);
  await sql`UPDATE payments SET updated_at = updated_at - ${earlier}, expires_at = expires_at - ${earlier}, created_at = created_at - ${earlier},
    state = CASE WHEN state = 'draft' THEN 'expired' ELSE state END`.execute(db);
}

async function setAvatar(user: TestUser): Promise<void> {
  expect((await user.patch(`/api/users/${user.id}`, { avatarUrl: await freshPicture() })).status).toBe(200);
}

test('pictures in use are kept at any age, and replaced ones are deleted', async () => {
  const user = await newUser(server, await fundedWallet(chain));
  const digest = await pay(chain, user.wallet, SUBMIT_FEE_MIST);
  expect((await submitPaid(user, await newDraft({ imageUrl: await freshPicture() }), digest)).status).toBe(201);
  await setAvatar(user);
  const replaced = await hashes();
  await setAvatar(user);
  const now = await hashes();
  expect(now.size).toBe(replaced.size + 1);
  await daysPass(400);
  await deleteUnused(services);
  const left = await hashes();
  expect(left.size).toBe(2);
  const { imageUrl } = (await user.get<{ imageUrl: string }[]>(`/api/projects/wallet/${user.address}`)).body[0] ?? {};
  const { avatarUrl } = (await user.get<{ avatarUrl: string }>(`/api/users/${user.id}`)).body;
  for (const url of [imageUrl ?? '', avatarUrl]) expect((await user.get(url)).status).toBe(200);
});

test('the picture of an unpaid order stays while it can be paid, and is then deleted with its row', async () => {
  const user = await newUser(server);
  const before = await hashes();
  expect((await prepareSubmit(user, await newDraft({ imageUrl: await freshPicture() }))).status).toBe(201);
  const ordered = [...(await hashes())].filter((hash) => !before.has(hash));
  expect(ordered).toHaveLength(1);
  await daysPass(1.5);
  await deleteUnused(services);
  expect((await hashes()).has(ordered[0] ?? '')).toBe(true);
  await daysPass(1);
  await deleteUnused(services);
  expect((await hashes()).has(ordered[0] ?? '')).toBe(false);
  const orders = () => db.selectFrom('payments').select('id').where('userId', '=', user.id).execute();
  expect(await orders()).toHaveLength(1);
  await daysPass(26);
  await deleteUnused(services);
  expect(await orders()).toHaveLength(1);
  await daysPass(4);
  await deleteUnused(services);
  expect(await orders()).toEqual([]);
});

test('an order that has not ended is kept, whatever its age', async () => {
  const user = await newUser(server);
  const before = await hashes();
  const { paymentId } = (await prepareSubmit(user, await newDraft({ imageUrl: await freshPicture() }))).body;
  const picture = [...(await hashes())].find((hash) => !before.has(hash)) ?? '';
  await daysPass(400);
  await db.updateTable('payments').set({ state: 'draft' }).where('id', '=', paymentId).execute();
  await deleteUnused(services);
  expect((await hashes()).has(picture)).toBe(true);
  expect(await db.selectFrom('payments').select('id').where('id', '=', paymentId).execute()).toHaveLength(1);
});

test('an order with a transaction is kept permanently, whatever its state', async () => {
  const user = await newUser(server);
  const { paymentId } = (await prepareSubmit(user, await newDraft({ imageUrl: await freshPicture() }))).body;
  await daysPass(400);
  await db.updateTable('payments').set({ digest: 'known' }).where('id', '=', paymentId).execute();
  await deleteUnused(services);
  expect(await db.selectFrom('payments').select('state').where('id', '=', paymentId).execute()).toEqual([
    { state: 'expired' },
  ]);
});

test('a picture that is stored again at this very moment stays', async () => {
  await sql`INSERT INTO images (hash, content_type, bytes, width, height, created_at)
    VALUES ('again', 'image/webp', '', 1, 1, now() - interval '2 hours')`.execute(db);
  const [locked, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const storing = db.transaction().execute(async (trx) => {
    await sql`UPDATE images SET created_at = now() WHERE hash = 'again'`.execute(trx);
    locked.resolve();
    await stored.promise;
  });
  const waiting = async () =>
    (
      await sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%DELETE FROM "images"%'`.execute(
        db,
      )
    ).rows.length;
  await locked.promise;
  const deletion = deleteUnused(services);
  await expect.poll(waiting).toBe(1);
  stored.resolve();
  await storing;
  await deletion;
  expect((await hashes()).has('again')).toBe(true);
});
