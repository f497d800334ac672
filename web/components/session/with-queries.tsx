import { QueryClientProvider } from '@tanstack/react-query';
import { Activity, type ComponentType } from 'react';
import { SessionEndedNotice, SessionEndedPage } from './session-ended.tsx';
import { useStore } from '../../lib/external-store.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { OfflineNotice } from '../../offline/offline-notice.tsx';

const person = { get: session.person, subscribe: session.subscribe };
const ended = { get: () => session.get().status === 'ended', subscribe: session.subscribe };

/** `isPrivate` pages are hidden after the session has ended elsewhere; their state, including typed text, is kept for the next sign-in. */
export function withQueries(Inner: ComponentType, isPrivate = false): ComponentType {
  return function WithQueries() {
    const isEnded = useStore(ended);
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
