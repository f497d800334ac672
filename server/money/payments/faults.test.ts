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
} from '#lab/testing/chain.ts';
import type { TestUser } from '#lab/testing/client.ts';
import { executeSigned, newDraft, prepareSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { TestEnvironment } from '#lab/testing/environment.ts';

// Servers start and stop here, on machines that are busy with other tests. The scenarios mostly wait, for timeouts and
// jobs, so they run in parallel, each in a separate environment.
vi.setConfig({ maxConcurrency: 4 });
const WAIT = { timeout: 150_000, interval: 50 };

interface Scenario<Chain extends TestChain = TestChain> {
  environment: TestEnvironment<Chain>;
  user: TestUser;
  draft: ProjectDraft;
}

async function withScenario<Chain extends TestChain>(
  chain: Chain,
  use: (scenario: Scenario<Chain>) => Promise<void>,
): Promise<void> {
  const environment = await TestEnvironment.begin(chain);
  try {
    await use({ environment, user: await environment.newPayer(), draft: await newDraft() });
  } finally {
    await environment.end();
  }
}

const test = base.extend<{ scenario: Scenario; lateScenario: Scenario<OwnChain> }>({
  /** On the chain that all tests share; only the connection to it can be cut. */
  // eslint-disable-next-line no-empty-pattern -- Vitest reads the requested fixtures from this very pattern
  scenario: async ({}, use) => withScenario(sharedChain(), use),
  /** With a separate chain, which may be late or down. */
  // eslint-disable-next-line no-empty-pattern -- as above
  lateScenario: async ({}, use) => {
    const chain = await startChain();
    try {
      await withScenario(chain, use);
    } finally {
      await chain.stop();
    }
  },
});

const paidMist = ({ environment }: Scenario): Promise<bigint> => balanceMist(environment.chain, environment.admin);
const sign = ({ environment, user }: Scenario) =>
  signPayment(environment.chain, user.wallet, SUBMIT_FEE_MIST, environment.admin);
const payOnChain = ({ environment, user }: Scenario) =>
  pay(environment.chain, user.wallet, SUBMIT_FEE_MIST, environment.admin);

const stateOf = async ({ environment, user }: Scenario): Promise<string | undefined> =>
  (
    await environment.database.db
      .selectFrom('payments')
      .select('state')
      .where('userId', '=', user.id)
      .executeTakeFirst()
  )?.state;

/** Removes the pause before the next try, or makes it an hour. */
const tryAgain = ({ environment, user }: Scenario, when: 'now' | 'later') =>
  environment.database.db
    .updateTable('payments')
    .set({ nextTryAt: when === 'now' ? sql`now()` : sql`now() + interval '1 hour'` })
    .where('userId', '=', user.id)
    .execute();

/** Prepares the payment of the scenario; only the scenario's requests move it until the server starts again. */
async function prepareAlone({ environment, user, draft }: Scenario): Promise<string> {
  await environment.stopRecovery();
  const prepared = await prepareSubmit(user, draft);
  expect(prepared).toMatchObject({ status: 201 });
  return prepared.body.paymentId;
}

/** The end of every scenario: listed once, paid once, one line of activity. */
async function expectListedOnce(scenario: Scenario): Promise<void> {
  const { db } = scenario.environment.database;
  await vi.waitFor(async () => {
    await tryAgain(scenario, 'now');
    expect(await stateOf(scenario)).toBe('fulfilled');
  }, WAIT);
  const projects = await db.selectFrom('projects').selectAll().where('ownerId', '=', scenario.user.id).execute();
  expect(projects.map((project) => project.name)).toEqual([scenario.draft.name]);
  expect(await paidMist(scenario)).toBe(SUBMIT_FEE_MIST);
  const activity = await db.selectFrom('activity').select('kind').where('userId', '=', scenario.user.id).execute();
  expect(activity).toEqual([{ kind: 'project_submitted' }]);
}

describe.concurrent('SIGKILL at each step between draft and fulfilment: listed exactly once, paid exactly once [R16]', () => {
  test('survives a SIGKILL after the draft was stored, before the signature came', async ({ scenario }) => {
    const paymentId = await prepareAlone(scenario);
    const signed = await sign(scenario);
    await scenario.environment.kill();
    await scenario.environment.restart();
    const user = scenario.environment.back(scenario.user);
    expect((await executeSigned(user, paymentId, signed)).status).toBe(200);
    expect((await submitPaid(user, scenario.draft, signed.digest)).status).toBe(201);
    await expectListedOnce(scenario);
  });

  test('survives a SIGKILL after the signed transaction was stored, before it reached the chain', async ({
    scenario,
  }) => {
    const paymentId = await prepareAlone(scenario);
    const signed = await sign(scenario);
    scenario.environment.proxy.fail('execute', 'silence');
    const call = executeSigned(scenario.user, paymentId, signed).catch(() => 'cut off');
    await vi.waitFor(async () => expect(await stateOf(scenario)).toBe('signed'), WAIT);
    await scenario.environment.kill();
    expect(await call).toBe('cut off');
    expect(await paidMist(scenario)).toBe(0n);
    await scenario.environment.restart();
    await expectListedOnce(scenario);
  });

  test('survives a SIGKILL after the chain executed the transaction, before the server learned of that', async ({
    scenario,
  }) => {
    const paymentId = await prepareAlone(scenario);
    const signed = await sign(scenario);
    scenario.environment.proxy.fail('execute', 'silence', { isDone: true });
    const call = executeSigned(scenario.user, paymentId, signed).catch(() => 'cut off');
    await vi.waitFor(async () => expect(await paidMist(scenario)).toBe(SUBMIT_FEE_MIST), WAIT);
    await scenario.environment.kill();
    expect(await call).toBe('cut off');
    expect(await stateOf(scenario)).toBe('signed');
    await scenario.environment.restart();
    await expectListedOnce(scenario);
  });

  test('survives a SIGKILL after the payment, before the order was sent, when the browser never returns', async ({
    scenario,
  }) => {
    const paymentId = await prepareAlone(scenario);
    const signed = await sign(scenario);
    expect((await executeSigned(scenario.user, paymentId, signed)).status).toBe(200);
    expect(await stateOf(scenario)).toBe('paid');
    await scenario.environment.kill();
    await scenario.environment.restart();
    await expectListedOnce(scenario);
  });

  test('survives a SIGKILL in the middle of the fulfilment', async ({ scenario }) => {
    const paymentId = await prepareAlone(scenario);
    const signed = await sign(scenario);
    await executeSigned(scenario.user, paymentId, signed);
    // Locks the last table that the fulfilment writes: its transaction has begun and cannot end.
    const locker = await scenario.environment.database.pool.connect();
    await locker.query('BEGIN; LOCK TABLE activity IN ACCESS EXCLUSIVE MODE');
    const call = submitPaid(scenario.user, scenario.draft, signed.digest).catch(() => 'cut off');
    await vi.waitFor(async () => {
      const waiting = await locker.query(
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'activity'::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      );
      expect(waiting.rowCount).toBe(1);
    }, WAIT);
    await scenario.environment.kill();
    expect(await call).toBe('cut off');
    await locker.query('ROLLBACK');
    locker.release();
    await scenario.environment.restart();
    await expectListedOnce(scenario);
  });

  test('survives a SIGKILL after the fulfilment, before the response: the repeated order has the same response', async ({
    scenario,
  }) => {
    const paymentId = await prepareAlone(scenario);
    const signed = await sign(scenario);
    await executeSigned(scenario.user, paymentId, signed);
    const first = await submitPaid(scenario.user, scenario.draft, signed.digest);
    await scenario.environment.kill();
    await scenario.environment.restart();
    const again = await submitPaid(scenario.environment.back(scenario.user), scenario.draft, signed.digest);
    expect(again.body).toEqual(first.body);
    await expectListedOnce(scenario);
  });
});

describe.concurrent('a chain that is late, slow or down: pending, finished later, never "not paid" [R17]', () => {
  const pending = {
    status: 202,
    body: { status: 'pending', message: expect.stringContaining('do not have to pay again') },
  };

  test('finishes a payment that was executed but not indexed yet', async ({ lateScenario: scenario }) => {
    await scenario.environment.chain.control({ indexDelayMs: 600_000 });
    const digest = await payOnChain(scenario);
    expect(await submitPaid(scenario.user, scenario.draft, digest)).toMatchObject(pending);
    const open = await scenario.user.get<Payment[]>('/api/payments');
    expect(open.body).toMatchObject([{ state: 'signed', transactionHash: digest }]);
    expect(await submitPaid(scenario.user, scenario.draft, digest)).toMatchObject(pending);
    await scenario.environment.chain.control({ indexDelayMs: 0 });
    await expectListedOnce(scenario);
    expect((await submitPaid(scenario.user, scenario.draft, digest)).status).toBe(201);
  });

  test('executes the stored transaction when the chain is back from an outage during the execution', async ({
    lateScenario: scenario,
  }) => {
    const { paymentId } = (await prepareSubmit(scenario.user, scenario.draft)).body;
    const signed = await sign(scenario);
    await scenario.environment.chain.control({ down: true });
    expect(await executeSigned(scenario.user, paymentId, signed)).toMatchObject({
      status: 202,
      body: { status: 'pending', transactionHash: signed.digest },
    });
    expect(await submitPaid(scenario.user, scenario.draft, signed.digest)).toMatchObject(pending);
    await scenario.environment.chain.control({ down: false });
    await expectListedOnce(scenario);
  });

  test("accepts orders when the chain is down at the server's start", async ({ lateScenario: scenario }) => {
    const digest = await payOnChain(scenario);
    await scenario.environment.kill();
    await scenario.environment.chain.control({ down: true });
    await scenario.environment.restart();
    expect(await submitPaid(scenario.environment.back(scenario.user), scenario.draft, digest)).toMatchObject(pending);
    await scenario.environment.chain.control({ down: false });
    await expectListedOnce(scenario);
  });

  test('finishes an execution so slow that the server stopped waiting for its outcome', async ({ scenario }) => {
    const { paymentId } = (await prepareSubmit(scenario.user, scenario.draft)).body;
    const signed = await sign(scenario);
    scenario.environment.proxy.delayMs = 20_000;
    const call = executeSigned(scenario.user, paymentId, signed);
    await vi.waitFor(async () => expect(await stateOf(scenario)).toBe('signed'), WAIT);
    // Otherwise the job would still be waiting for the slow chain when it is fast again.
    await tryAgain(scenario, 'later');
    expect(await call).toMatchObject({ status: 202 });
    scenario.environment.proxy.delayMs = 0;
    await expectListedOnce(scenario);
  });
});

test.concurrent('a payment that never appears on chain is given up after a day with a message, and a chain that is down uses up no attempt [R17 R68]', async ({
  lateScenario: scenario,
}) => {
  const signed = await sign(scenario);
  await submitPaid(scenario.user, scenario.draft, signed.digest);
  const dayLater = () =>
    scenario.environment.database.db
      .updateTable('payments')
      .set({ signedAt: sql`now() - interval '25 hours'`, nextTryAt: sql`now()` })
      .where('userId', '=', scenario.user.id)
      .returning('attempts')
      .executeTakeFirst();
  await scenario.environment.chain.control({ down: true });
  const before = await dayLater();
  const { rows } = await sql<{ at: Date }>`SELECT clock_timestamp() AS at`.execute(scenario.environment.database.db);
  await vi.waitFor(async () => {
    const run = await scenario.environment.database.db
      .selectFrom('jobRuns')
      .select('startedAt')
      .where('name', '=', 'recover-payments')
      .where('succeededAt', '>', sql<Date>`started_at`)
      .executeTakeFirst();
    expect(run?.startedAt.getTime()).toBeGreaterThan(rows[0]?.at.getTime() ?? Infinity);
  }, WAIT);
  const after = await scenario.environment.database.db
    .selectFrom('payments')
    .select(['attempts', 'state'])
    .where('userId', '=', scenario.user.id)
    .executeTakeFirst();
  expect(after).toEqual({ attempts: before?.attempts, state: 'signed' });
  await scenario.environment.chain.control({ down: false });
  await vi.waitFor(async () => {
    // An earlier look-up may have postponed the next one.
    await dayLater();
    expect(await stateOf(scenario)).toBe('failed');
  }, WAIT);
  expect((await scenario.user.get<Payment[]>('/api/payments')).body).toMatchObject([
    { note: 'The transaction did not appear on chain within 24 hours' },
  ]);
});
