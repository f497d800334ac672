import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Pressure {
  delayMs: number;
  /** Share of the time in which its main thread was on a processor, 0 to 1: low when the machine is busy with something else. */
  utilization: number;
}

export interface PressureSource {
  watch(onReading: (pressure: Pressure) => void): () => void;
}

const EVERY_MS = 100;
const RESOLUTION_MS = 10;
const NANOSECONDS_PER_MS = 1e6;
const MICROSECONDS_PER_MS = 1e3;

/**
 * The event loop of this process. The delay is measured outside of JavaScript (perf_hooks), so that watching costs ten readings a second
 * and nothing per request.
 */
export const eventLoop: PressureSource = {
  watch(onReading) {
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    let before = process.threadCpuUsage();
    let beforeMs = performance.now();
    const timer = setInterval(() => {
      const [used, nowMs] = [process.threadCpuUsage(before), performance.now()];
      const utilization = (used.user + used.system) / MICROSECONDS_PER_MS / (nowMs - beforeMs);
      [before, beforeMs] = [process.threadCpuUsage(), nowMs];
      const meanMs = histogram.count === 0 ? EVERY_MS : histogram.mean / NANOSECONDS_PER_MS;
      histogram.reset();
      onReading({ delayMs: Math.max(0, meanMs - RESOLUTION_MS), utilization });
    }, EVERY_MS).unref();
    return () => {
      clearInterval(timer);
      histogram.disable();
    };
  },
};
