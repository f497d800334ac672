const MAX_CLIENTS = 20_000;

interface Bucket {
  units: number;
  atMs: number;
}

interface Buckets {
  take(client: string, units: number): number;
  size(): number;
}

/** A bucket for each client that holds `most` units and fills up evenly: a short burst is free, a stream is not. */
export function createBuckets(
  { perSecond, most }: { perSecond: number; most: number },
  now: () => number = () => performance.now(),
): Buckets {
  const buckets = new Map<string, Bucket>();
  const perMs = perSecond / 1_000;
  return {
    take(client, wanted) {
      const atMs = now();
      const bucket = buckets.get(client) ?? { units: most, atMs };
      const units = Math.min(most, bucket.units + Math.max(0, atMs - bucket.atMs) * perMs);
      const isEnough = units >= wanted;
      buckets.delete(client);
      buckets.set(client, { units: isEnough ? units - wanted : units, atMs });
      if (buckets.size > MAX_CLIENTS) for (const oldest of buckets.keys()) if (buckets.delete(oldest)) break;
      return isEnough ? 0 : (wanted - units) / perMs;
    },
    size: () => buckets.size,
  };
}
