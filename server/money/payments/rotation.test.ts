import { sql } from 'kysely';
import { describe, expect, test as base, vi } from 'vitest';
import { RENEW_FEE_MIST, SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { Purpose } from '#shared/contract/payments.ts';
import type { ProjectDraft } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { balanceMist, pay, sharedChain, signPayment } from '#lab/testing/chain.ts';
import type { TestResponse, TestUser } from '#lab/testing/client.ts';
import { executeSigned, newDraft, type Prepared } from '#lab/testing/drafts.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import { TestEnvironment } from '#lab/testing/environment.ts';

// A server is started twice in each; they mostly wait for that.
vi.setConfig({ maxConcurrency: 3 });
const WAIT = { timeout: 150_000, interval: 50 };

const test = base.extend<{ environment: TestEnvironment }>({
  // eslint-disable-next-line no-empty-pattern -- Vitest reads the requested fixtures from this very pattern
  environment: async ({}, use) => {
    const environment = await TestEnvironment.begin(sharedChain());
    try {
      await use(environment);
    } finally {
      await environment.end();
    }
  },
});

const FEES: Record<Purpose, bigint> = { submit: SUBMIT_FEE_MIST, update: UPDATE_FEE_MIST, renew: RENEW_FEE_MIST };

/** An order of a payer, with the calls that prepare it and, by its digest, place it. */
interface Ordered {
  user: TestUser;
  amountMist: bigint;
  /** The wallet shown to the payer. */
  recipient: string;
  prepare: () => Promise<Prepared>;
  place: (user: TestUser, transactionHash: string) => Promise<TestResponse<Project>>;
}

async function order(environment: TestEnvironment, purpose: Purpose): Promise<Ordered> {
  const user = await environment.newPayer();
  const common = { user, amountMist: FEES[purpose], recipient: environment.admin };
  const prepare = async (request: object): Promise<Prepared> => {
    const prepared = await user.post<Prepared>('/api/payments', request);
    expect(prepared).toMatchObject({ status: 201 });
    return prepared.body;
  };
  if (purpose === 'submit') {
    const draft: ProjectDraft = await newDraft();
    return {
      ...common,
      prepare: () => prepare({ purpose, draft }),
      place: (by, transactionHash) => by.post('/api/projects', { ...draft, submittedBy: by.address, transactionHash }),
    };
  }
  const projectId = await insertProject(environment.database.db, { ownerId: user.id });
  const draft = purpose === 'update' ? { description: 'After the rotation' } : undefined;
  return {
    ...common,
    prepare: () => prepare({ purpose, projectId, draft }),
    place: (by, transactionHash) =>
      purpose === 'update'
        ? by.patch(`/api/projects/${projectId}/update`, { ...draft, transactionHash })
        : by.post(`/api/projects/${projectId}/renew`, { transactionHash }),
  };
}

/** The operator changes ADMIN_WALLET: the server ends and starts again; the payer's browser keeps its state. */
async function rotate(environment: TestEnvironment, user: TestUser): Promise<TestUser> {
  await environment.kill();
  await environment.restart(newWallet().toSuiAddress());
  return environment.back(user);
}

async function expectFulfilled(environment: TestEnvironment, { user, recipient, amountMist }: Ordered): Promise<void> {
  const read = () =>
    environment.database.db.selectFrom('payments').select(['state', 'purpose']).where('userId', '=', user.id).execute();
  await vi.waitFor(async () => {
    await environment.database.db
      .updateTable('payments')
      .set({ nextTryAt: sql`now()` })
      .where('userId', '=', user.id)
      .execute();
    expect(await read()).toMatchObject([{ state: 'fulfilled' }]);
  }, WAIT);
  expect(await balanceMist(environment.chain, recipient)).toBe(amountMist);
}

describe.concurrent('changes of the admin wallet while a user pays', () => {
  test('fulfills an order that was prepared before the change and executed after it by signature [R16]', async ({
    environment,
  }) => {
    const ordered = await order(environment, 'submit');
    const { paymentId, recipient } = await ordered.prepare();
    expect(recipient).toBe(ordered.recipient);
    const signed = await signPayment(environment.chain, ordered.user.wallet, ordered.amountMist, ordered.recipient);
    const user = await rotate(environment, ordered.user);
    expect(await executeSigned(user, paymentId, signed)).toMatchObject({ status: 200 });
    expect((await ordered.place(user, signed.digest)).status).toBe(201);
    await expectFulfilled(environment, ordered);
  });

  test('fulfills an order that was prepared before the change and paid after it by the wallet itself [R16 R17]', async ({
    environment,
  }) => {
    const ordered = await order(environment, 'update');
    const { paymentId } = await ordered.prepare();
    const user = await rotate(environment, ordered.user);
    const transactionHash = await pay(environment.chain, user.wallet, ordered.amountMist, ordered.recipient);
    expect(await user.post(`/api/payments/${paymentId}/execute`, { transactionHash })).toMatchObject({ status: 200 });
    await expectFulfilled(environment, ordered);
  });

  test.for<Purpose>(['submit', 'update', 'renew'])(
    'fulfills an order to %s by a digest alone, without a draft [R17]',
    async (purpose, { environment }) => {
      const ordered = await order(environment, purpose);
      const transactionHash = await pay(environment.chain, ordered.user.wallet, ordered.amountMist, ordered.recipient);
      const user = await rotate(environment, ordered.user);
      expect((await ordered.place(user, transactionHash)).status).toBe(purpose === 'submit' ? 201 : 200);
      await expectFulfilled(environment, ordered);
    },
  );

  test('a draft for the old wallet that is paid to the new one counts, too [R17]', async ({ environment }) => {
    const ordered = await order(environment, 'renew');
    await ordered.prepare();
    const user = await rotate(environment, ordered.user);
    const transactionHash = await pay(environment.chain, user.wallet, ordered.amountMist, environment.admin);
    expect((await ordered.place(user, transactionHash)).status).toBe(200);
    await expectFulfilled(environment, { ...ordered, recipient: environment.admin });
  });
});
