import { useEffect, useRef, useState } from 'react';
import { COUNT_MAX_ROWS } from '#shared/site/pages.ts';
import { Button } from '../../ui/button.tsx';
import type { More } from '../../lib/use-list.ts';

const totalText = (total: number | null): string =>
  total === null ? `more than ${COUNT_MAX_ROWS.toLocaleString()}` : total.toLocaleString();

export function TotalCount({ total }: { total: number | null | undefined }) {
  return total === undefined ? null : <span className="text-muted">{totalText(total)}</span>;
}

export function Unfold({ more: { shown, hasMore, total }, onClick }: { more: More; onClick: () => void }) {
  return (
    <Button variant="secondary" className="mt-4" onClick={onClick}>
      {hasMore ? `Show more (${totalText(total)} in all)` : `Show all ${shown.toLocaleString()}`}
    </Button>
  );
}

export function ShowMore({ more, noun }: { more: More; noun: string }) {
  const { shown, total, hasMore, isLoadingMore, hasFailed, showMore } = more;
  const end = useRef<HTMLParagraphElement>(null);
  const [wasUsed, setUsed] = useState(false);
  useEffect(() => {
    // The button disappears with the last page: move the focus from it.
    if (!hasMore && wasUsed && document.activeElement === document.body) end.current?.focus({ preventScroll: true });
  }, [hasMore, wasUsed]);
  function load(): void {
    setUsed(true);
    void showMore();
  }
  if (!hasMore)
    return wasUsed ? (
      <p ref={end} tabIndex={-1} className="mt-4 text-sm text-muted">
        All {shown.toLocaleString()} {noun} are shown.
      </p>
    ) : null;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      {/* Not disabled while it loads: that would drop the focus. */}
      <Button variant="secondary" aria-disabled={isLoadingMore} aria-busy={isLoadingMore} onClick={load}>
        {isLoadingMore ? 'Loading…' : hasFailed ? 'Try again' : 'Show more'}
      </Button>
      <p className="text-sm text-muted">
        {shown.toLocaleString()} of {totalText(total)} {noun}
      </p>
      {hasFailed && !isLoadingMore ? (
        <p role="alert" className="w-full text-sm text-text">
          More {noun} could not be loaded.
        </p>
      ) : null}
    </div>
  );
}
