import { CloudOff } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { createStore, useStore } from '../lib/external-store.ts';
import { serverAway } from '../lib/connection.ts';
import { waitingWords } from './outcome-words.ts';
import { waiting, type WaitingVote } from './waiting-votes.ts';

const NONE: readonly WaitingVote[] = [];

export const isNoticeShown = createStore(false);

const SENDING_MS = 600;

function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLate(true), SENDING_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isLate && isWaiting;
}

export function OfflineNotice() {
  const isAway = useStore(serverAway, () => false);
  const votes = useStore(waiting, () => NONE);
  const isLate = useIsLate(votes.length > 0);
  const isShown = isAway || isLate;
  useLayoutEffect(() => {
    isNoticeShown.set(isShown);
    return () => isNoticeShown.set(false);
  }, [isShown]);
  if (!isShown) return null;
  const words = [isAway ? 'The server is away' : '', votes.length > 0 ? waitingWords(votes.length) : ''];
  return (
    <div data-offline-notice className="pointer-events-none sticky top-0 z-30 grid justify-items-center px-3 pt-1 pb-3">
      <output className="pointer-events-auto flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-surface px-4 py-0.5 text-sm leading-tight shadow-card">
        <CloudOff aria-hidden size={16} className="shrink-0 text-muted" />
        <span>
          <b>{words.filter(Boolean).join(' · ')}</b>
          <span className="text-muted">
            {votes.length > 0 ? '. A vote counts when it arrives.' : '. What you see may be out of date.'}
          </span>
        </span>
      </output>
    </div>
  );
}
