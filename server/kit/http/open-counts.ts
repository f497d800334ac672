/**
 * Counts what each client has open. The function returned takes one more, and returns the function that gives it back, to be called once; null
 * for a client that has as many as it may.
 */
export function createOpenCounts(most: number): (client: string) => (() => void) | null {
  const counts = new Map<string, number>();
  return (client) => {
    const open = (counts.get(client) ?? 0) + 1;
    if (open > most) return null;
    counts.set(client, open);
    return () => {
      const left = (counts.get(client) ?? 0) - 1;
      if (left > 0) counts.set(client, left);
      else counts.delete(client);
    };
  };
}
