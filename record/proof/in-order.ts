export const AHEAD = 8;

/** The results of many calls in order, with some calls running ahead of their turn. */
export async function* inOrder<T>(count: number, load: (index: number) => Promise<T>): AsyncGenerator<T> {
  const underway: Array<Promise<T>> = [];
  for (let index = 0; index < count; index += 1) {
    for (let next = index + underway.length; next < count && underway.length < AHEAD; next += 1) {
      const promise = load(next);
      // A failure is reported when its turn comes, or never.
      promise.catch(() => undefined);
      underway.push(promise);
    }
    yield await (underway.shift() as Promise<T>);
  }
}

export async function allInOrder<T, R>(items: readonly T[], load: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for await (const result of inOrder(items.length, (index) => load(items[index] as T))) results.push(result);
  return results;
}
