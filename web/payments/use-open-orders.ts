import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { createStore, useStore } from '../lib/external-store.ts';
import { queries } from '../lib/queries.ts';
import { toast } from '../lib/toast.ts';
import { journal, type OpenOrder } from './journal.ts';
import { justListed } from './just-listed.ts';
import { ORDER_FACTS, orderViews, type OrderView } from './open-phases.ts';
import { OrderError } from './order.ts';
import { failureToast, finishedToast } from './order-toasts.ts';
import { resumePayments } from './pay.ts';
import { refreshAfterOrder } from './refresh.ts';

const POLL_MS = 3_000;
const RESUME_MS = 5_000;

/** True while a page is paying: that page shows the payment, so lists of open payments leave it out. */
export const payingNow = createStore<boolean>(false);

export const finishedOrder = createStore<OrderView | null>(null);

interface OpenOrders {
  views: OrderView[];
  entries: readonly OpenOrder[];
}

const NONE: readonly OpenOrder[] = [];
const unknownToTheServer = () => NONE;

export function useOpenOrders(userId: number | undefined, always: boolean): OpenOrders {
  const all = useStore(journal, unknownToTheServer);
  const entries = useMemo(() => all.filter((entry) => entry.userId === userId), [all, userId]);
  const isOpen = (views: OrderView[]) => views.some(({ phase }) => phase === 'looking' || phase === 'received');
  const { data } = useQuery({
    ...queries.payments(userId ?? 0),
    enabled: userId !== undefined && (always || entries.length > 0),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (isOpen(orderViews(entries, state.data ?? [])) ? POLL_MS : false),
  });
  const views = useMemo(() => orderViews(entries, data ?? []), [entries, data]);
  return { views, entries };
}

function finishOrders(entries: readonly OpenOrder[], views: readonly OrderView[]): void {
  const ended = views.filter(
    ({ phase, paymentId }) => phaseIsEnd(phase) && entries.some((entry) => entry.paymentId === paymentId),
  );
  for (const view of ended) {
    finishedOrder.set(view);
    if (view.purpose === 'submit' && view.phase === 'done') justListed.set(view.projectId);
    journal.remove(view.paymentId);
    const options = finishedToast(view);
    if (options) toast(options);
  }
  if (ended.length > 0) refreshAfterOrder();
}

const phaseIsEnd = (phase: OrderView['phase']): boolean => !ORDER_FACTS[phase].blocksPaying;

async function resume(userId: number): Promise<void> {
  const { changed, rejected } = await resumePayments(userId);
  for (const { entry, error } of rejected) toast(failureToast(entry.purpose ?? 'submit', new OrderError('pay', error)));
  if (changed) refreshAfterOrder();
}

function useResume(userId: number, hasProof: boolean): void {
  useEffect(() => {
    if (!hasProof) return undefined;
    const again = () => void resume(userId);
    again();
    const timer = setInterval(again, RESUME_MS);
    window.addEventListener('online', again);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', again);
    };
  }, [userId, hasProof]);
}

export function useOrderWatch(userId: number, always: boolean): OrderView[] {
  const { views, entries } = useOpenOrders(userId, always);
  const isPaying = useStore(payingNow);
  useResume(userId, !isPaying && entries.some(({ proof }) => proof !== null));
  useEffect(() => {
    if (!isPaying) finishOrders(entries, views);
  }, [entries, views, isPaying]);
  const onTheirWay = views.filter(({ phase }) => phase === 'looking' || phase === 'received').length;
  useEffect(() => (onTheirWay > 0 ? refreshAfterOrder : undefined), [onTheirWay]);
  return isPaying ? views.filter(({ phase }) => !['unknown', 'unsent'].includes(phase)) : views;
}
