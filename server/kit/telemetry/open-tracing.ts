import type { Config } from '../config.ts';
import type { Tracing } from '../tracing.ts';

export async function openTracing({ otlpEndpoint }: Pick<Config, 'otlpEndpoint'>): Promise<Tracing | null> {
  if (otlpEndpoint === null) return null;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(otlpEndpoint);
}
