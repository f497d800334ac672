import type { LostVote } from './lost-votes.ts';

interface LostLineProps {
  vote: LostVote;
  onRetry: () => void;
}

export function LostLine({ vote: { voteType, changes }, onRetry }: LostLineProps) {
  return (
    <div className="flex w-full max-w-md flex-wrap items-center justify-between gap-x-3 text-sm leading-tight text-muted">
      <span className="flex-[1_1_10rem]">
        <b className="text-text">The server is away.</b> Your {voteType} {changes === undefined ? 'vote' : 'change'} is
        not confirmed.
      </span>
      <button
        type="button"
        onClick={onRetry}
        className="inline-flex min-h-11 shrink-0 items-center rounded-full px-4 font-bold text-link transition-colors select-none hover:bg-overlay"
      >
        Retry
      </button>
    </div>
  );
}
