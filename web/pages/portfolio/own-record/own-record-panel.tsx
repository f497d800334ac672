import { CalendarClock, ScrollText, TriangleAlert } from 'lucide-react';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { Button } from '../../../ui/button.tsx';
import { hasSeenRecord, type OwnRecord, type Progress, startOver } from './check-own-record.ts';
import { CheckError } from './run-check.ts';
import { CheckedRecord } from './checked-record.tsx';
import { type CheckState, useOwnRecord } from './use-own-record.ts';
import { progressText } from './words.ts';

function Running({ progress }: { progress: Progress }) {
  const { done, all } = progress;
  return (
    <div className="grid gap-2">
      <p className="text-muted">{progressText(progress)}</p>
      <progress
        aria-label="Progress of the check"
        className="h-2 w-full overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
        {...(all === 0 ? {} : { value: done, max: all })}
      />
    </div>
  );
}

function Mismatch({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="grid gap-3 rounded-lg bg-raised p-4 text-text">
      <p className="flex gap-2 font-semibold">
        <TriangleAlert aria-hidden size={20} className="mt-0.5 shrink-0" />
        The public record does not match. Please report this.
      </p>
      <p>{message}.</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={onRetry}>
          Check again
        </Button>
        {hasSeenRecord() ? (
          <Button
            variant="ghost"
            onClick={() => {
              startOver();
              onRetry();
            }}
          >
            Start over
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const EMPTY: Record<Exclude<OwnRecord['kind'], 'checked'>, { title: string; text: string }> = {
  none: { title: 'No public record', text: 'This site keeps none, so its votes cannot be checked from outside.' },
  empty: {
    title: 'The record begins soon',
    text: 'Nothing is published yet. The first part follows after midnight UTC.',
  },
};

function Finished({ record, onRetry }: { record: OwnRecord; onRetry: () => void }) {
  if (record.kind === 'checked') return <CheckedRecord record={record} onRetry={onRetry} />;
  const { title, text } = EMPTY[record.kind];
  return (
    <EmptyState icon={record.kind === 'empty' ? <CalendarClock size={28} /> : <ScrollText size={28} />} title={title}>
      {text}
    </EmptyState>
  );
}

function Body({ state, onRetry }: { state: CheckState; onRetry: () => void }) {
  switch (state.status) {
    case 'running':
      return <Running progress={state.progress} />;
    case 'finished':
      return <Finished record={state.record} onRetry={onRetry} />;
    case 'failed': {
      const { error } = state;
      if (error instanceof CheckError && error.kind === 'differs')
        return <Mismatch message={error.message} onRetry={onRetry} />;
      return <ErrorState error={error} fallback="Your votes could not be checked" onRetry={onRetry} />;
    }
  }
}

export function OwnRecordPanel({ userId }: { userId: number }) {
  const { state, check } = useOwnRecord(userId);
  return <Body state={state} onRetry={check} />;
}
