import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '../../testing/app.ts';
import { newUser } from '../../testing/client.ts';
import { newDraft, pictureUrl, prepareSubmit } from '../../testing/drafts.ts';

const server = await createTestApp();
const { db } = server.services;

const rowsOf = (userId: number) => db.selectFrom('payments').select('id').where('userId', '=', userId).execute();

test('one user has at most five unpaid orders, also for simultaneous requests, and twenty in a day', async () => {
  const user = await newUser(server);
  // Their picture is known: of new ones a user has one decoded at a time.
  await prepareSubmit(await newUser(server), await newDraft());
  const drafts = await Promise.all(Array.from({ length: 8 }, () => newDraft()));
  const responses = await Promise.all(drafts.map((draft) => prepareSubmit(user, draft)));
  const counts = responses.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(counts).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
  expect(await rowsOf(user.id)).toHaveLength(5);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.headers.get('retry-after')).toBe('600');
  expect(refused?.body).toMatchObject({
    message: 'You have several unpaid orders. Pay for one of them, or wait an hour.',
  });

  expect((await prepareSubmit(await newUser(server), await newDraft())).status).toBe(201);

  let accepted = 5;
  for (let round = 0; round < 6; round += 1) {
    await db
      .updateTable('payments')
      .set({ state: 'expired', expiresAt: sql`now()` })
      .where('userId', '=', user.id)
      .execute();
    for (let at = 0; at < 5; at += 1) {
      const { status } = await prepareSubmit(user, await newDraft());
      if (status === 201) accepted += 1;
    }
  }
  expect(accepted).toBe(20);

  const ageAll = (age: string) =>
    sql`UPDATE payments SET created_at = now() - ${age}::interval WHERE user_id = ${user.id}`.execute(db);
  await ageAll('23 hours 55 minutes');
  expect(await prepareSubmit(user, await newDraft())).toMatchObject({
    status: 429,
    body: { error: 'too_many_drafts', message: expect.stringContaining('Try again tomorrow') },
  });
  await ageAll('24 hours');
  expect((await prepareSubmit(user, await newDraft())).status).toBe(201);
});

test('a refused order stores no picture', async () => {
  const user = await newUser(server);
  for (let at = 0; at < 5; at += 1) await prepareSubmit(user, await newDraft());
  const pictures = () => db.selectFrom('images').select('hash').execute();
  const before = await pictures();
  expect((await prepareSubmit(user, await newDraft({ imageUrl: await pictureUrl(99, 99, 99) }))).status).toBe(429);
  expect(await pictures()).toEqual(before);
});
