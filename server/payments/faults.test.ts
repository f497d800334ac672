import { sql } from 'kysely';
import { describe, expect, test as base, vi } from 'vitest';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { ProjectDraft } from '#shared/contract/projects.ts';
import type { Payment } from '#shared/contract/payments.ts';
import {
  balanceMist,
  type OwnChain,
  pay,
  sharedChain,
  signPayment,
  startChain,
  type TestChain,
} from '../testing/chain.ts';
import type { TestUser } from '../testing/client.ts';
import { executeSigned, newDraft, prepareSubmit, submitPaid } from '../testing/drafts.ts';
import { World } from '../testing/world.ts';

// Servers start and stop here, on machines that are busy with other tests. The stories wait far more than they work, for
// timeouts and jobs, so they are told side by side, each in a world of its own.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000, maxConcurrency: 4 });
const WAIT = { timeout: 60_000, interval: 50 };

interface Story<Chain extends TestChain = TestChain> {
  world: World<Chain>;
  user: TestUser;
  draft: ProjectDraft;
}

async function tell<Chain extends TestChain>(chain: Chain, use: (story: Story<Chain>) => Promise<void>): Promise<void> {
  const world = await World.begin(chain);
  try {
    await use({ world, user: await world.newPayer(), draft: await newDraft() });
  } finally {
    await world.end();
  }
}

const test = base.extend<{ story: Story; lateStory: Story<OwnChain> }>({
  /** On the chain that all tests share; only the way there can be cut. */
  // eslint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that are wanted from this very pattern
  story: async ({}, use) => tell(sharedChain(), use),
  /** With a chain of its own, which may be late or away. */
  // eslint-disable-next-line no-empty-pattern -- as above
  lateStory: async ({}, use) => {
    const chain = await startChain();
    try {
      await tell(chain, use);
    } finally {
      await chain.stop();
    }
  },
});

const paidMist = ({ world }: Story): Promise<bigint> => balanceMist(world.chain, world.admin);
const sign = ({ world, user }: Story) => signPayment(world.chain, user.wallet, SUBMIT_FEE_MIST, world.admin);
const payOnChain = ({ world, user }: Story) => pay(world.chain, user.wallet, SUBMIT_FEE_MIST, world.admin);

const stateOf = async ({ world, user }: Story): Promise<string | undefined> =>
  (await world.database.db.selectFrom('payments').select('state').where('userId', '=', user.id).executeTakeFirst())
    ?.state;

/** Takes away the pause before the next try, or makes one of an hour. */
const tryAgain = ({ world, user }: Story, when: 'now' | 'later') =>
  world.database.db
    .updateTable('payments')
    .set({ nextTryAt: when === 'now' ? sql`now()` : sql`now() + interval '1 hour'` })
    .where('userId', '=', user.id)
    .execute();

/** Prepares the payment that the story is about; only its own requests bring it forward until the server starts again. */
async function prepareAlone({ world, user, draft }: Story): Promise<string> {
  await world.stopRecovery();
  return (await prepareSubmit(user, draft)).body.paymentId;
}

/** The end of every story: listed once, paid once, told once. */
async function expectListedOnce(story: Story): Promise<void> {
  const { db } = story.world.database;
  await vi.waitFor(async () => {
    await tryAgain(story, 'now');
    expect(await stateOf(story)).toBe('fulfilled');
  }, WAIT);
  const projects = await db.selectFrom('projects').selectAll().where('ownerId', '=', story.user.id).execute();
  expect(projects.map((project) => project.name)).toEqual([story.draft.name]);
  expect(await paidMist(story)).toBe(SUBMIT_FEE_MIST);
  const activity = await db.selectFrom('activity').select('kind').where('userId', '=', story.user.id).execute();
  expect(activity).toEqual([{ kind: 'project_submitted' }]);
}

describe.concurrent('SIGKILL at each step between draft and fulfilment: listed exactly once, paid exactly once [R16]', () => {
  test('after the draft was stored, before the signature came', async ({ story }) => {
    const paymentId = await prepareAlone(story);
    const signed = await sign(story);
    await story.world.kill();
    await story.world.restart();
    const user = story.world.back(story.user);
    expect((await executeSigned(user, paymentId, signed)).status).toBe(200);
    expect((await submitPaid(user, story.draft, signed.digest)).status).toBe(201);
    await expectListedOnce(story);
  });

  test('after the signed transaction was stored, before the chain heard of it', async ({ story }) => {
    const paymentId = await prepareAlone(story);
    const signed = await sign(story);
    story.world.proxy.fail('execute', 'silence');
    const call = executeSigned(story.user, paymentId, signed).catch(() => 'cut off');
    await vi.waitFor(async () => expect(await stateOf(story)).toBe('signed'), WAIT);
    await story.world.kill();
    expect(await call).toBe('cut off');
    expect(await paidMist(story)).toBe(0n);
    await story.world.restart();
    await expectListedOnce(story);
  });

  test('after the chain executed it, before the server heard of that', async ({ story }) => {
    const paymentId = await prepareAlone(story);
    const signed = await sign(story);
    story.world.proxy.fail('execute', 'silence', { isDone: true });
    const call = executeSigned(story.user, paymentId, signed).catch(() => 'cut off');
    await vi.waitFor(async () => expect(await paidMist(story)).toBe(SUBMIT_FEE_MIST), WAIT);
    await story.world.kill();
    expect(await call).toBe('cut off');
    expect(await stateOf(story)).toBe('signed');
    await story.world.restart();
    await expectListedOnce(story);
  });

  test('after it was paid, before the order was sent; the browser never comes back', async ({ story }) => {
    const paymentId = await prepareAlone(story);
    const signed = await sign(story);
    expect((await executeSigned(story.user, paymentId, signed)).status).toBe(200);
    expect(await stateOf(story)).toBe('paid');
    await story.world.kill();
    await story.world.restart();
    await expectListedOnce(story);
  });

  test('in the middle of the fulfilment', async ({ story }) => {
    const paymentId = await prepareAlone(story);
    const signed = await sign(story);
    await executeSigned(story.user, paymentId, signed);
    // Holds the last table that the fulfilment writes: its transaction has begun and cannot end.
    const locker = await story.world.database.pool.connect();
    await locker.query('BEGIN; LOCK TABLE activity IN ACCESS EXCLUSIVE MODE');
    const call = submitPaid(story.user, story.draft, signed.digest).catch(() => 'cut off');
    await vi.waitFor(async () => {
      const waiting = await locker.query(
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'activity'::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      );
      expect(waiting.rowCount).toBe(1);
    }, WAIT);
    await story.world.kill();
    expect(await call).toBe('cut off');
    await locker.query('ROLLBACK');
    locker.release();
    await story.world.restart();
    await expectListedOnce(story);
  });

  test('after the fulfilment, before the answer: the repeated order has the same answer', async ({ story }) => {
    const paymentId = await prepareAlone(story);
    const signed = await sign(story);
    await executeSigned(story.user, paymentId, signed);
    const first = await submitPaid(story.user, story.draft, signed.digest);
    await story.world.kill();
    await story.world.restart();
    const again = await submitPaid(story.world.back(story.user), story.draft, signed.digest);
    expect(again.body).toEqual(first.body);
    await expectListedOnce(story);
  });
});

describe.concurrent('a chain that is late, slow or away: pending, finished later, never "not paid" [R17]', () => {
  const pending = {
    status: 202,
    body: { status: 'pending', message: expect.stringContaining('do not have to pay again') },
  };

  test('executed but not indexed yet', async ({ lateStory: story }) => {
    await story.world.chain.control({ indexDelayMs: 600_000 });
    const digest = await payOnChain(story);
    expect(await submitPaid(story.user, story.draft, digest)).toMatchObject(pending);
    const open = await story.user.get<Payment[]>('/api/payments');
    expect(open.body).toMatchObject([{ state: 'signed', transactionHash: digest }]);
    expect(await submitPaid(story.user, story.draft, digest)).toMatchObject(pending);
    await story.world.chain.control({ indexDelayMs: 0 });
    await expectListedOnce(story);
    expect((await submitPaid(story.user, story.draft, digest)).status).toBe(201);
  });

  test('down while a client that paid by itself sends its order', async ({ lateStory: story }) => {
    const digest = await payOnChain(story);
    await story.world.chain.control({ down: true });
    expect(await submitPaid(story.user, story.draft, digest)).toMatchObject(pending);
    await story.world.chain.control({ down: false });
    await expectListedOnce(story);
  });

  test('down while the server executes: the stored transaction is executed when the chain is back', async ({
    lateStory: story,
  }) => {
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await sign(story);
    await story.world.chain.control({ down: true });
    expect(await executeSigned(story.user, paymentId, signed)).toMatchObject({
      status: 202,
      body: { status: 'pending', transactionHash: signed.digest },
    });
    expect(await submitPaid(story.user, story.draft, signed.digest)).toMatchObject(pending);
    await story.world.chain.control({ down: false });
    await expectListedOnce(story);
  });

  test('down when the server starts: orders are taken all the same', async ({ lateStory: story }) => {
    const digest = await payOnChain(story);
    await story.world.kill();
    await story.world.chain.control({ down: true });
    await story.world.restart();
    expect(await submitPaid(story.world.back(story.user), story.draft, digest)).toMatchObject(pending);
    await story.world.chain.control({ down: false });
    await expectListedOnce(story);
  });

  test('so slow that the server stops waiting for the outcome of an execution', async ({ story }) => {
    const { paymentId } = (await prepareSubmit(story.user, story.draft)).body;
    const signed = await sign(story);
    story.world.proxy.delayMs = 20_000;
    const call = executeSigned(story.user, paymentId, signed);
    await vi.waitFor(async () => expect(await stateOf(story)).toBe('signed'), WAIT);
    // Else the job would be waiting for the slow chain, too, when it is quick again.
    await tryAgain(story, 'later');
    expect(await call).toMatchObject({ status: 202 });
    story.world.proxy.delayMs = 0;
    await expectListedOnce(story);
  });
});

test.concurrent('what never appears on chain is given up after a day, and says so; a chain that is away does not count [R17]', async ({
  lateStory: story,
}) => {
  const signed = await sign(story);
  await submitPaid(story.user, story.draft, signed.digest);
  const dayLater = () =>
    story.world.database.db
      .updateTable('payments')
      .set({ signedAt: sql`now() - interval '25 hours'`, nextTryAt: sql`now()` })
      .where('userId', '=', story.user.id)
      .returning('attempts')
      .executeTakeFirst();
  await story.world.chain.control({ down: true });
  const before = await dayLater();
  await vi.waitFor(async () => {
    const row = await story.world.database.db
      .selectFrom('payments')
      .select(['attempts', 'state'])
      .where('userId', '=', story.user.id)
      .executeTakeFirst();
    expect(row?.attempts).toBeGreaterThan(before?.attempts ?? 0);
    expect(row?.state).toBe('signed');
  }, WAIT);
  await story.world.chain.control({ down: false });
  await vi.waitFor(async () => {
    // A look-up from before may have put the next one off.
    await dayLater();
    expect(await stateOf(story)).toBe('failed');
  }, WAIT);
  expect((await story.user.get<Payment[]>('/api/payments')).body).toMatchObject([
    { note: 'The transaction did not appear on chain within 24 hours' },
  ]);
});
