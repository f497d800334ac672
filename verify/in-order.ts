/** Calls that are under way at the same time. */
export const AHEAD = 8;

/** The results of many calls in order, with some of them under way ahead of their turn. */
export async function* inOrder<T>(count: number, load: (index: number) => Promise<T>): AsyncGenerator<T> {
  const underway: Array<Promise<T>> = [];
  for (let index = 0; index < count; index += 1) {
    for (let next = index + underway.length; next < count && underway.length < AHEAD; next += 1) {
      const promise = load(next);
      // Its failure is reported when its turn comes, or not at all.
      promise.catch(() => undefined);
      underway.push(promise);
    }
    yield await (underway.shift() as Promise<T>);
  }
}

/** The same, all at once. */
export async function allInOrder<T, R>(items: readonly T[], load: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for await (const result of inOrder(items.length, (index) => load(items[index] as T))) results.push(result);
  return results;
}
