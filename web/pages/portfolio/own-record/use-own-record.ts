import { useCallback, useEffect, useRef, useState } from 'react';
import { announce } from '../../../lib/announce.ts';
import { checkMine, isSound, type OwnRecord, type Progress } from './check-own-record.ts';
import { toneOf } from './words.ts';

export type CheckState =
  | { status: 'running'; progress: Progress }
  | { status: 'finished'; record: OwnRecord }
  | { status: 'failed'; error: unknown };

const IDLE: CheckState = { status: 'running', progress: { step: 'lists', done: 0, all: 0 } };

function announceResult(record: OwnRecord): void {
  if (record.kind !== 'checked') return;
  const bad = record.votes.filter(({ finding }) => toneOf(finding) === 'bad').length;
  const isAll = isSound(record) ? 'everything matches' : bad > 0 ? `${bad} do not match` : 'something does not match';
  announce(`Your votes are checked: ${isAll}.`);
}

export function useOwnRecord(userId: number): { state: CheckState; check: () => void } {
  const [state, setState] = useState(IDLE);
  const run = useRef(0);
  const check = useCallback(() => {
    run.current += 1;
    const own = run.current;
    const show = (next: CheckState) => (run.current === own ? setState(next) : undefined);
    show(IDLE);
    const finish = (record: OwnRecord): void => {
      if (run.current !== own) return;
      show({ status: 'finished', record });
      announceResult(record);
    };
    checkMine(userId, (progress) => show({ status: 'running', progress })).then(finish, (error: unknown) =>
      show({ status: 'failed', error }),
    );
  }, [userId]);
  useEffect(() => {
    check();
    return () => void (run.current += 1);
  }, [check]);
  return { state, check };
}
