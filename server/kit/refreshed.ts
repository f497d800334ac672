export interface RefreshOptions {
  freshMs: number;
  patienceMs: number;
}

/** Reads a value again once it is old, one read at a time, for any number of callers. `load` never rejects. */
export function createRefreshed<T>(
  initial: T,
  load: () => Promise<T>,
  { freshMs, patienceMs }: RefreshOptions,
): () => Promise<T> {
  let known = initial;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  async function read(): Promise<void> {
    readAtMs = performance.now();
    known = await load();
    running = null;
  }
  return async () => {
    if (running === null && performance.now() - readAtMs < freshMs) return known;
    running ??= read();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
    await Promise.race([running, patience]);
    clearTimeout(timer);
    return known;
  };
}
