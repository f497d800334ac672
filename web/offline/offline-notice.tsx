import { CloudOff } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { createStore, useStore } from '../lib/external-store.ts';
import { useLiveUser } from '../lib/session.ts';
import { connection, type Connection } from './connection.ts';
import { waitingWords } from './outcome-words.ts';
import { sendWaiting, takeBackWaiting } from './send-waiting.ts';
import { isTakenBackFreely, waiting, type WaitingVote } from './waiting-votes.ts';

const STATES: Record<Connection, string> = {
  online: '',
  offline: 'You are offline',
  unreachable: 'The server is away',
};
const NONE: readonly WaitingVote[] = [];
const BUTTON = '-me-2 min-h-11 shrink-0 rounded-full px-2 font-semibold text-link hover:underline';

export const isNoticeShown = createStore(false);

function SendNow({ userId }: { userId: number }) {
  const [isTrying, setTrying] = useState(false);
  const tryNow = async () => {
    setTrying(true);
    await sendWaiting(userId);
    setTrying(false);
  };
  return (
    <button type="button" aria-disabled={isTrying || undefined} className={BUTTON} onClick={() => void tryNow()}>
      {isTrying ? 'Sending…' : 'Send now'}
    </button>
  );
}

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
  const state = useStore<Connection>(connection, () => 'online');
  const votes = useStore(waiting, () => NONE);
  const user = useLiveUser();
  const isLate = useIsLate(votes.length > 0);
  const isShown = state !== 'online' || isLate;
  useLayoutEffect(() => {
    isNoticeShown.set(isShown);
    return () => isNoticeShown.set(false);
  }, [isShown]);
  if (!isShown) return null;
  const words = [STATES[state], votes.length > 0 ? waitingWords(votes.length) : ''].filter(Boolean).join(' · ');
  return (
    <div data-offline-notice className="pointer-events-none sticky top-0 z-30 grid justify-items-center px-3 pt-1 pb-3">
      <output className="pointer-events-auto flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-surface px-4 py-0.5 text-sm leading-tight shadow-card">
        <CloudOff aria-hidden size={16} className="shrink-0 text-muted" />
        <span>
          <b>{words}</b>
          <span className="text-muted">
            {votes.length > 0 ? '. A vote counts when it arrives.' : '. What you see may be out of date.'}
          </span>
        </span>
        {votes.some(isTakenBackFreely) ? (
          <button type="button" className={BUTTON} onClick={takeBackWaiting}>
            Undo
          </button>
        ) : null}
        {user && votes.length > 0 && state !== 'offline' ? <SendNow userId={user.id} /> : null}
      </output>
    </div>
  );
}
