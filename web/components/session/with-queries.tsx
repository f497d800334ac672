import { QueryClientProvider } from '@tanstack/react-query';
import { Activity, type ComponentType } from 'react';
import { SessionEndedNotice, SessionEndedPage } from './session-ended.tsx';
import { useStore } from '../../lib/external-store.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { OfflineNotice } from '../../offline/offline-notice.tsx';

const person = { get: session.person, subscribe: session.subscribe };
const ended = { get: () => session.get().status === 'ended', subscribe: session.subscribe };

/**
 * The component with the app's one query client around it, and with the response of every page when the session ends elsewhere: it offers
 * to sign in again and keeps its place. `isPrivate` pages are hidden until then; their state, typed text too, stays.
 */
export function withQueries(Inner: ComponentType, isPrivate = false): ComponentType {
  return function WithQueries() {
    const isEnded = useStore(ended);
    // Another user finds nothing of the one before.
    const page = <Inner key={useStore(person)} />;
    const Offer = isPrivate ? SessionEndedPage : SessionEndedNotice;
    return (
      <QueryClientProvider client={queryClient}>
        <OfflineNotice />
        {isPrivate ? <Activity mode={isEnded ? 'hidden' : 'visible'}>{page}</Activity> : page}
        {isEnded ? <Offer /> : null}
      </QueryClientProvider>
    );
  };
}
