import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface Read {
  atMs: number;
  path: string;
  status: number;
}

/** Pages that visitors read, each a few times a second. */
const PATHS = ['/api/projects', '/api/projects/leaderboard/all', '/api/leaderboard', '/api/supply'];
const EVERY_MS = 250;
const TRY_MS = 5_000;

/** Visitors without a session, who read public lists throughout the run. */
export class Readers {
  readonly reads: Read[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  private get(path: string): Promise<number> {
    return new Promise((resolve) => {
      const headers = { 'x-forwarded-for': '198.51.100.7' };
      const sent = request(`${this.url}${path}`, { agent: this.agent, headers, timeout: TRY_MS }, (response) =>
        response.resume().on('close', () => resolve(response.statusCode ?? 0)),
      );
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(0));
      sent.end();
    });
  }

  async readUntil(signal: AbortSignal): Promise<void> {
    const under = new Set<Promise<void>>();
    while (!signal.aborted) {
      for (const path of PATHS) {
        const atMs = performance.now();
        const one = this.get(path).then((status) => void this.reads.push({ atMs, path, status }));
        under.add(one);
        void one.then(() => under.delete(one));
      }
      await sleep(EVERY_MS);
    }
    await Promise.all(under);
    this.agent.destroy();
  }

  /** Reads that began between two moments: their number, the number with a response, and the failed ones. */
  between(fromMs: number, toMs: number): { all: number; served: number; failed: Read[] } {
    const reads = this.reads.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    const failed = reads.filter(({ status }) => status !== 200);
    return { all: reads.length, served: reads.length - failed.length, failed };
  }
}
