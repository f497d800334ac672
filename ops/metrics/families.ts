import { AggregatorRegistry } from 'prom-client';
import type { Distribution } from '#server/kit/distribution.ts';

type Aggregator = 'sum' | 'max' | 'min' | 'first' | 'average' | 'omit';
type Labels = Readonly<Record<string, string | number>>;

interface Value {
  labels: Labels;
  value: number;
  metricName?: string;
}

export interface Family {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  aggregator: Aggregator;
  values: Value[];
}

type Values = Iterable<readonly [labels: Labels, value: number]>;
const toValues = (values: Values): Value[] => [...values].map(([labels, value]) => ({ labels, value }));

export const counter = (name: string, help: string, values: Values): Family => ({
  name,
  help,
  type: 'counter',
  aggregator: 'sum',
  values: toValues(values),
});

export const gauge = (name: string, help: string, values: Values, aggregator: Aggregator = 'sum'): Family => ({
  name,
  help,
  type: 'gauge',
  aggregator,
  values: toValues(values),
});

export const single = (name: string, help: string, value: number | null, aggregator?: Aggregator): Family =>
  gauge(name, help, value === null ? [] : [[{}, value]], aggregator);

export function histogram(
  name: string,
  help: string,
  entries: Iterable<readonly [labels: Labels, distribution: Distribution]>,
): Family {
  const values = [...entries].flatMap(([labels, { bounds, counts, sum }]) => {
    let total = 0;
    const buckets = counts.map((count, at) => {
      total += count;
      return { labels: { le: bounds[at] ?? '+Inf', ...labels }, value: total, metricName: `${name}_bucket` };
    });
    return [
      ...buckets,
      { labels, value: sum, metricName: `${name}_sum` },
      { labels, value: total, metricName: `${name}_count` },
    ];
  });
  return { name, help, type: 'histogram', aggregator: 'sum', values };
}

const aggregated = (processes: readonly Family[][]) => AggregatorRegistry.aggregate([...processes]);

/** Counts that continue after a process has ended: Prometheus would interpret a falling sum as a restart of all. */
export async function keepCounts(processes: readonly Family[][]): Promise<Family[]> {
  const families = (await aggregated(processes).getMetricsAsJSON()) as unknown as Family[];
  return families.filter(({ type }) => type !== 'gauge').map((family) => ({ ...family, aggregator: 'sum' }));
}

export const toText = (processes: readonly Family[][]): Promise<string> => aggregated(processes).metrics();
