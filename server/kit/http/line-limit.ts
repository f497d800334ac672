const MOST_KINDS = 200;
const MINUTE_MS = 60_000;

interface Count {
  written: number;
  leftOut: number;
}

/**
 * Bounds the lines of each kind in a minute: what a client can cause must not fill a disk. Further lines are counted, and `onLeftOut` gets
 * their number when the minute is over.
 */
export function createLineLimit(onLeftOut: (kind: string, lines: number) => void) {
  const counts = new Map<string, Count>();

  function begin(kind: string): Count {
    const count = { written: 0, leftOut: 0 };
    counts.set(kind, count);
    setTimeout(() => {
      counts.delete(kind);
      if (count.leftOut > 0) onLeftOut(kind, count.leftOut);
    }, MINUTE_MS).unref();
    return count;
  }

  return (wanted: string, mostPerMinute: number): boolean => {
    const kind = counts.has(wanted) || counts.size < MOST_KINDS ? wanted : 'other lines';
    const count = counts.get(kind) ?? begin(kind);
    const isAllowed = count.written < mostPerMinute;
    count[isAllowed ? 'written' : 'leftOut'] += 1;
    return isAllowed;
  };
}
