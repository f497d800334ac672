import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ADVISORY_LOCKS } from '#db/advisory-locks.ts';
import { createSuiClient } from '#chain/client.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp, startServer, type TestServerOptions } from '#lab/testing/app.ts';
import { behindTheTriggers, empty, insertProject } from '#lab/testing/builders.ts';
import { castVote, newUser } from '#lab/testing/client.ts';
import { noteRestore, releaseRecord } from './after-restore.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { setState } from '#lab/testing/standing.ts';
import { insertVoteAt, logKey, publishAll, timeOf } from '#lab/testing/record.ts';
import { closeUpTo } from '#lab/testing/close.ts';
import { closeDays } from './close-days.ts';

const env = { LOG_PRIVATE_KEY: logKey() };
const server = await createTestApp({ env });
const { services } = server;
const { db } = services;
beforeEach(() => empty(db));

const sizes = async () =>
  (await db.selectFrom('logCheckpoints').select('size').orderBy('size').execute()).map(({ size }) => size);
const setNewest = (change: string) =>
  behindTheTriggers(db, (trx) => sql.raw(`UPDATE log_checkpoints SET ${change}`).execute(trx), { reopens: false });

/** Holds a transaction open until the end of the test. */
async function keepOpen(statement: string): Promise<void> {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const open = db.transaction().execute(async (trx) => {
    await sql.raw(statement).execute(trx);
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  onTestFinished(async () => {
    end.resolve();
    await open;
  });
}

async function fail(): Promise<void> {
  await sql
    .raw(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$;
    CREATE TRIGGER break_off AFTER INSERT ON log_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION break_off()`)
    .execute(db);
  onTestFinished(async () => void (await sql`DROP FUNCTION break_off CASCADE`.execute(db)));
}

test.each<[code: string, message: RegExp, inTheWay: () => Promise<unknown>, options?: TestServerOptions]>([
  [
    'nothing_to_close',
    /^Every day that is over is published already/,
    () => closeUpTo(services, timeOf(1, 0).slice(0, 10)),
  ],
  [
    'already_publishing',
    /^A server closes a day at this moment/,
    () => keepOpen(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.record})`),
  ],
  [
    'restore_not_confirmed',
    /^The database was restored, and days of the record may be missing/,
    () => db.insertInto('restores').values({ moment: new Date(), recordWaits: true }).execute(),
  ],
  [
    'other_log_key',
    /^LOG_PRIVATE_KEY is not the key that has signed the record/,
    () => Promise.resolve(),
    { env: { LOG_PRIVATE_KEY: logKey() } },
  ],
  ['record_damaged', /^The record has signed \d+ entries, and/, () => setNewest(`root = sha256('other'::bytea)`)],
  ['publishing_failed', /^Nothing was published\. The server's log has the reason/, fail],
])(
  "'Publish now' names what is in the way, and signs nothing: %s [R63 R34]",
  async (code, message, inTheWay, options = { env }) => {
    await closeUpTo(services, timeOf(2, 0).slice(0, 10));
    await inTheWay();
    const before = await sizes();
    const other = await startServer(server.databaseUrl, options);
    onTestFinished(() => other.close());
    const response = await (await signInAsAdmin(other)).post('/api/admin/record/publish');
    expect(response).toMatchObject({ status: 409, body: { error: code, message: expect.stringMatching(message) } });
    expect(await sizes()).toEqual(before);
  },
);

test('a database whose clock is more than an hour ahead of the chain closes no day [R63 R68]', async () => {
  const nodeAt = (aheadMs: number) => {
    const sui = createSuiClient({ network: 'localnet', url: services.config.rpcUrl });
    const ask = sui.ledgerService.getServiceInfo.bind(sui.ledgerService);
    const later = vi.spyOn(sui.ledgerService, 'getServiceInfo');
    later.mockImplementation(((...args: Parameters<typeof ask>) =>
      ask(...args).then((found) => {
        const seconds = BigInt(Math.floor((Date.now() + aheadMs) / 1_000));
        return { ...found, response: { ...found.response, timestamp: { seconds, nanos: 0 } } };
      })) as unknown as typeof ask);
    return { ...services, sui };
  };
  await expect(closeDays(nodeAt(-61 * 60_000))).rejects.toMatchObject({
    code: 'clock_ahead',
    message: expect.stringContaining('61 minutes ahead'),
  });
  expect(await sizes()).toEqual([]);
  expect(await closeDays(nodeAt(-59 * 60_000))).toBe(1);
});

test('files of a longer log than its newest checkpoint stop the next batch [R63]', async () => {
  await publishAll(services);
  await insertVoteAt(db, { userId: (await newUser(server)).id, projectId: await insertProject(db), at: 'now' });
  await publishAll(services);
  // A restore that has log_files of later than log_checkpoints.
  await behindTheTriggers(
    db,
    (trx) => sql`DELETE FROM log_checkpoints WHERE size = (SELECT max(size) FROM log_checkpoints)`.execute(trx),
    { reopens: false },
  );
  const before = await sizes();
  await expect(publishAll(services)).rejects.toMatchObject({
    code: 'record_damaged',
    message: expect.stringMatching(/^The record has files of entries after its \d+ signed ones/),
  });
  expect(await sizes()).toEqual(before);
});

test('the figures of a published day are not computed again after a restore into it, and the next day continues from theirs [R63 R94]', async () => {
  const voters = [await newUser(server), await newUser(server)];
  const projectId = await insertProject(db);
  const at = timeOf(2, 3_600_000);
  for (const { id: userId } of voters) await insertVoteAt(db, { userId, projectId, at });
  await setState(
    db,
    voters.map(({ id }) => id),
    'standing',
  );
  await closeUpTo(services, timeOf(2, 0).slice(0, 10));
  const figures = () => db.selectFrom('projectDays').selectAll().orderBy('day').execute();
  const published = await figures();
  const copied = await db
    .selectFrom('closedDays')
    .selectAll()
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await noteRestore(db, new Date(timeOf(2, 2 * 3_600_000)), true);
  await releaseRecord(db);
  await db.deleteFrom('closedDays').where('day', '=', copied.day).execute();
  await expect(closeDays(services)).rejects.toMatchObject({ code: 'figures_missing' });
  expect(await figures()).toEqual(published);
  await db.insertInto('closedDays').values(copied).execute();
  expect(await closeDays(services)).toBe(1);
  expect(await figures()).toEqual(published);
  expect(await findDifferences(db)).toEqual([]);
});

test('a vote and a change after the clock was set back get the end of the last closed day, which no figure has passed [R63 R40]', async () => {
  const [voter, projectId, earlier] = [await newUser(server), await insertProject(db), await insertProject(db)];
  await insertVoteAt(db, { userId: voter.id, projectId: earlier, at: 'yesterday 12:00+00' });
  await publishAll(services);
  const { until } = await db
    .selectFrom('closedDays')
    .select('until')
    .orderBy('until', 'desc')
    .executeTakeFirstOrThrow();
  expect((await castVote(voter, projectId)).status).toBe(200);
  expect((await voter.send('PUT', `/api/votes/${earlier}`, { voteType: 'bearish' })).status).toBe(200);
  const { rows } = await sql<{ saidAt: Date }>`
    SELECT said_at AS "saidAt" FROM opinions WHERE user_id = ${voter.id} ORDER BY said_at DESC LIMIT 2`.execute(db);
  expect(rows).toEqual([{ saidAt: until }, { saidAt: until }]);
});
