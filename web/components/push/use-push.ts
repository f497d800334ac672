import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { PushChoice } from '#shared/contract/push.ts';
import { PUSH_KINDS, type PushKind } from '#shared/people/push-kinds.ts';
import { ApiError, errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { toast } from '../../lib/toast.ts';
import { hasSubscription, PushFailure, renewHere, subscribeHere, unsubscribeHere } from './browser-push.ts';

/** Renews or ends the subscription that the browser does not have as the site knows it, so that 'On' is true. */
async function agreeWithBrowser(choice: PushChoice, params: { id: number }): Promise<PushChoice> {
  if (choice.endpoint === null || (await hasSubscription(choice))) return choice;
  const body = await renewHere(choice);
  if (body === null) return api.endPushHere({ params });
  return api.subscribePush({ params, body }).catch((error: unknown) => {
    // The site does not take this push service any longer.
    if (error instanceof ApiError && error.status === 400) return api.endPushHere({ params });
    throw error;
  });
}

async function readPush(userId: number, signal?: AbortSignal): Promise<PushChoice> {
  const params = { id: userId };
  return agreeWithBrowser(await api.getPush({ params, ...(signal && { signal }) }), params);
}

const pushQuery = (userId: number) =>
  queryOptions({
    queryKey: ['/api/users/push', userId],
    queryFn: ({ signal }) => readPush(userId, signal),
    refetchOnWindowFocus: 'always',
  });

/** Shares the read of a card that asks at the same moment: two renewals at once would end each other's subscription. Never rejects. */
export const agreeOnPush = (userId: number): Promise<void> => queryClient.prefetchQuery(pushQuery(userId));

function actionsOf(userId: number) {
  const params = { id: userId };
  return {
    choose: (kinds: PushKind[]) => api.choosePush({ params, body: { kinds } }),
    turnOn: async (publicKey: string) => api.subscribePush({ params, body: await subscribeHere(publicKey) }),
    addKind: async ({ publicKey, isOnHere, ...before }: PushChoice, kind: PushKind) => {
      const sent = isOnHere ? before : await api.subscribePush({ params, body: await subscribeHere(publicKey ?? '') });
      return api.choosePush({
        params,
        body: { kinds: PUSH_KINDS.filter((one) => one === kind || sent.kinds.includes(one)) },
      });
    },
    turnOff: async () => {
      const choice = await api.endPush({ params });
      await unsubscribeHere().catch((error: unknown) => console.warn('The browser keeps its subscription', error));
      return choice;
    },
    test: async (): Promise<null> => {
      await api.testPush({ params });
      return null;
    },
  };
}
type Actions = ReturnType<typeof actionsOf>;
export type PushPress = { [K in keyof Actions]: { name: K; args: Parameters<Actions[K]> } }[keyof Actions];

async function perform(actions: Actions, press: PushPress): Promise<PushChoice | null> {
  switch (press.name) {
    case 'choose':
      return actions.choose(...press.args);
    case 'turnOn':
      return actions.turnOn(...press.args);
    case 'addKind':
      return actions.addKind(...press.args);
    case 'turnOff':
      return actions.turnOff();
    default:
      return actions.test();
  }
}

export function usePush(userId: number) {
  const query = pushQuery(userId);
  const read = useQuery({ ...query, refetchOnMount: 'always' });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (press: PushPress) => perform(actionsOf(userId), press),
    onSuccess(choice, { name }) {
      if (choice) queryClient.setWritten(query.queryKey, choice);
      if (name === 'test')
        toast({ title: 'Test sent', description: 'It arrives within a few seconds.', variant: 'success' });
    },
    onError(error) {
      const description =
        error instanceof PushFailure ? error.message : errorText(error, 'Your notifications could not be changed');
      toast({ title: 'Not changed', description, variant: 'destructive' });
      // The push service may have ended the subscription.
      void queryClient.invalidateQueries({ queryKey: query.queryKey });
    },
  });
  return { ...read, press: mutate, pressed: isPending ? variables.name : null };
}
