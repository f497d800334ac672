import type { Config } from '../config.ts';
import type { Tracing } from '../tracing.ts';

export async function openTracing(config: Config): Promise<Tracing | null> {
  if (config.otlpEndpoint === null) return null;
  const { createTracing } = await import('./open-telemetry.ts');
  return createTracing(config.otlpEndpoint, config);
}
