export interface Distribution {
  bounds: readonly number[];
  counts: number[];
  sum: number;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export const createDistribution = (bounds: readonly number[] = SECONDS): Distribution => ({
  bounds,
  counts: Array.from({ length: bounds.length + 1 }, () => 0),
  sum: 0,
});

export function observe(distribution: Distribution, value: number): void {
  const { bounds, counts } = distribution;
  let at = 0;
  while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
  counts[at] = (counts[at] ?? 0) + 1;
  distribution.sum += value;
}

export function countUp<K>(counts: Map<K, number>, key: K, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
