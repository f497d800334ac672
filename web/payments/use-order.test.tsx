// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { preparePayment } from '#shared/contract/payments.ts';
import { listWalletProjects, renewProject } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { toasts } from '../lib/toast.ts';
import { ADMIN, ADDRESS, apiErrorOf, projectOf, STATS } from '../testing/made-up.ts';
import { act, draw, useTestPage } from '../testing/screen.tsx';
import { type Order, OrderError } from './order.ts';
import { payingNow } from './use-open-orders.ts';
import { fieldErrorOf, useOrder } from './use-order.ts';

const server = useTestPage();
const ORDER: Order = { purpose: 'renew', projectId: 3 };

/** A page that can place orders, as it is now. */
function openPage(): { current: ReturnType<typeof useOrder> | null } {
  const page: { current: ReturnType<typeof useOrder> | null } = { current: null };
  function Page() {
    page.current = useOrder();
    return null;
  }
  draw(<Page />);
  return page;
}

/** Begins an order and does not wait for its end. */
async function begin(page: ReturnType<typeof openPage>) {
  let placing: ReturnType<ReturnType<typeof useOrder>['place']> | undefined;
  await act(async () => {
    placing = page.current?.place(ORDER);
  });
  return { end: () => act(async () => placing) };
}

test('a second order during the first one does nothing [R18]', async () => {
  session.signedIn({ user: ADMIN, stats: STATS });
  const renewed = Promise.withResolvers<Project>();
  server().respond(renewProject, () => renewed.promise);
  const page = openPage();
  const first = await begin(page);
  await vi.waitFor(() => expect(server().calls(renewProject)).toHaveLength(1));
  expect(page.current?.phase).toBe('placing');
  // A free action of the admin is not a payment.
  expect(payingNow.get()).toBe(false);
  const second = vi.fn<(outcome: unknown) => void>();
  await act(async () => void page.current?.place(ORDER).then(second));
  expect(second).toHaveBeenCalledWith(null);
  expect(toasts.get()).toEqual([]);
  renewed.resolve(projectOf(3));
  expect(await first.end()).toMatchObject({ state: 'done', project: { id: 3 } });
  expect(server().calls(renewProject)).toHaveLength(1);
  expect(page.current?.phase).toBe('idle');
  expect(await act(async () => page.current?.place(ORDER))).toMatchObject({ state: 'done' });
  expect(server().calls(renewProject)).toHaveLength(2);
});

test('an order during a payment of another tab stores nothing and does not open the wallet', async () => {
  const request = vi.fn<(name: string, options: LockOptions, work: (lock: null) => unknown) => unknown>();
  request.mockImplementation((_name, _options, work) => work(null));
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: { request } } }));
  const page = openPage();
  expect(await act(async () => page.current?.place(ORDER))).toBeNull();
  expect(request.mock.calls[0]?.slice(0, 2)).toEqual(['snapswipe_payment', { ifAvailable: true }]);
  expect(server().calls(preparePayment)).toEqual([]);
  expect(toasts.get()[0]).toMatchObject({ title: 'Payment in progress' });
});

test('a payment is open until its result, and lists are then read again', async () => {
  const rejected = Promise.withResolvers<never>();
  server().respond(preparePayment, () => rejected.promise);
  server().respond(listWalletProjects, [], { total: 0 });
  const { queryKey } = queries.walletProjects(ADDRESS);
  queryClient.setQueryData(queryKey, { pages: [], pageParams: [] });
  const page = openPage();
  const first = await begin(page);
  expect(payingNow.get()).toBe(true);
  expect(page.current?.phase).toBe('paying');
  rejected.reject(new TypeError('Failed to fetch'));
  expect(await first.end()).toMatchObject({ state: 'failed', error: { stage: 'prepare' } });
  expect(payingNow.get()).toBe(false);
  expect(toasts.get()[0]).toMatchObject({ title: 'Payment Error', variant: 'destructive' });
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

test('a rejected order shows the reason beside its field, at every stage', () => {
  const rejection = (field: string | null) => apiErrorOf(400, 'invalid_input', 'Taken', { field });
  expect(fieldErrorOf(rejection('name'))).toEqual({ field: 'name', message: 'Taken' });
  expect(fieldErrorOf(new OrderError('place', rejection('name')))).toEqual({ field: 'name', message: 'Taken' });
  expect(fieldErrorOf(new OrderError('place', rejection(null)))).toBeNull();
  expect(fieldErrorOf(new Error('other'))).toBeNull();
});
