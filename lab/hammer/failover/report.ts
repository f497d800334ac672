import type { Fault } from './faults.ts';
import type { FailoverResult, Strike } from './run.ts';

const seconds = (ms: number | undefined): string => (ms === undefined ? '–' : (ms / 1000).toFixed(1));

function median(sorted: readonly number[]): number | undefined {
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

const sum = (strikes: readonly Strike[], of: (strike: Strike) => number): number =>
  strikes.reduce((total, strike) => total + of(strike), 0);

export interface FaultSummary {
  fault: string;
  times: number;
  moved: number;
  lost: number;
  withoutWritesS: { min: string; median: string; max: string };
  reads: number;
  readsServed: number;
}

export function summarize(strikes: readonly Strike[], lost: readonly number[]): FaultSummary[] {
  return [...new Set(strikes.map(({ fault }) => fault))].map((fault) => {
    const own = strikes.filter((strike) => strike.fault === fault);
    const gaps = own.map(({ withoutWritesMs }) => withoutWritesMs).toSorted((one, other) => one - other);
    return {
      fault,
      times: own.length,
      moved: own.filter(({ moved }) => moved).length,
      lost: lost.filter((atMs) => own.some(({ fromMs, toMs }) => atMs >= fromMs - 15_000 && atMs < toMs)).length,
      withoutWritesS: { min: seconds(gaps[0]), median: seconds(median(gaps)), max: seconds(gaps.at(-1)) },
      reads: sum(own, ({ reads }) => reads),
      readsServed: sum(own, ({ readsServed }) => readsServed),
    };
  });
}

export function table(summaries: readonly FaultSummary[], faults: readonly Fault[]): string {
  const width = Math.max(...faults.map(({ title }) => title.length));
  const heading = `  ${'fault'.padEnd(width)}  times  votes lost  s without writes: min median   max   reads served meanwhile`;
  const rows = summaries.map(
    ({ fault, times, lost, withoutWritesS: { min, median: mid, max }, reads, readsServed }) => {
      const title = faults.find(({ name }) => name === fault)?.title ?? fault;
      const share = reads === 0 ? '–' : `${readsServed} of ${reads}`;
      const cells = [
        `${times}`.padStart(5),
        `${lost}`.padStart(11),
        min.padStart(22),
        mid.padStart(7),
        max.padStart(6),
      ];
      return `${lost === 0 ? '✓' : '✗'} ${title.padEnd(width)}  ${cells.join(' ')}   ${share}`;
    },
  );
  return [heading, ...rows].join('\n');
}

export function printFailovers(result: FailoverResult, faults: readonly Fault[], restarts: readonly string[]): void {
  const { strikes, lost, broken, votes, payments } = result;
  console.log(`\n${table(summarize(strikes, lost), faults)}`);
  const moved = strikes.filter((strike) => strike.moved).length;
  console.log(
    `  ${strikes.length} faults, ${moved} changes of leader; ${votes} votes acknowledged, ${lost.length} lost`,
  );
  const money = broken.filter((line) => /recipient|digest|listed for|payment/.test(line)).length;
  console.log(`  ${payments} payments given to a server; lost or doubled: ${money}`);
  console.log(
    `  nothing was started by hand: what ended was started again ${restarts.length} times by the machine's supervisor,
  which plays systemd's Restart=always; a machine without power was switched on again, a cut cable plugged in again`,
  );
  for (const line of broken) console.log(`✗ ${line}`);
}
