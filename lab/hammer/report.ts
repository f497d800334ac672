import type { FuzzResult } from './fuzz.ts';
import { MOST_BYTES, SENDS, type StorageResult } from './storage.ts';
import type { Line, StormResult } from './storm.ts';

/** The goals: honest people hardly notice an attack, memory is bounded, nothing is lost. */
export const MOST_RATIO = 3;
export const MOST_MB = 400;

/** Missed goals of a line, in words; `isTimed` false ignores the waits and the memory. */
export function missesOf(line: Line, isTimed = true): string[] {
  const ratio = line.duringMs / line.beforeMs;
  return [
    ...(line.failure === null ? [] : [`the attack ${line.failure}`]),
    ...(isTimed && line.isAssessed && !(ratio <= MOST_RATIO) ? [`ratio above ${MOST_RATIO}`] : []),
    ...(isTimed && line.memoryMb > MOST_MB ? [`more than ${MOST_MB} MB`] : []),
    ...(isTimed && line.isAssessed && line.serverErrors > 0 ? [`${line.serverErrors} errors for honest users`] : []),
    ...(line.otherErrors > 0 ? [`${line.otherErrors} errors other than 503 for honest users`] : []),
    ...line.contradictions,
    ...(line.lost > 0 ? [`${line.lost} votes lost`] : []),
  ];
}

const OWN_DELAY = `  own delay: p99 in ms by which the sender of the honest votes itself was late; it is part of what honest people waited
  attacks come from a process of the lowest priority: they take the processor time that the stack and honest people leave`;

/** One row for each attack and failure. */
export function table(lines: readonly Line[], isTimed = true): string {
  const width = Math.max(20, ...lines.map(({ name }) => name.length));
  const heading = `  ${'attack'.padEnd(width)}  p99 before   during   ratio  own delay     MB   5xx  contradictions  lost  paid`;
  const rows = lines.map((line) => {
    const mark = missesOf(line, isTimed).length === 0 ? '✓' : '✗';
    const cells = [
      line.beforeMs.toFixed(1).padStart(10),
      line.duringMs.toFixed(1).padStart(8),
      `${(line.duringMs / line.beforeMs).toFixed(1)}${line.isAssessed ? '' : '*'}`.padStart(7),
      line.ownDelayMs.toFixed(0).padStart(10),
      `${Math.round(line.memoryMb)}`.padStart(6),
      `${line.serverErrors}`.padStart(5),
      `${line.contradictions.length}`.padStart(15),
      `${line.lost}`.padStart(5),
      `${line.payments}`.padStart(5),
    ];
    return `${mark} ${line.name.padEnd(width)}  ${cells.join(' ')}   ${line.detail}`;
  });
  return [heading, ...rows, '  * a failure: its wait and its 5xx are shown, without limits', OWN_DELAY].join('\n');
}

export function printStorm({ lines, leftOut, broken, votes, payments }: StormResult, isTimed: boolean): void {
  console.log(`\n${table(lines, isTimed)}`);
  for (const { name, lacks } of leftOut) console.log(`- ${name}: left out, ${lacks}`);
  for (const line of lines) {
    const misses = missesOf(line, isTimed);
    if (misses.length > 0) console.log(`✗ ${line.name}: ${misses.join('; ')}`);
  }
  for (const what of broken) console.log(`✗ ${what}`);
  console.log(
    `${votes} votes were counted and ${payments} payments were given to a server; lost or contradicting: ${broken.length}`,
  );
}

export function printFuzz(result: FuzzResult): void {
  const statuses = [...result.statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`  ${statuses.join(', ')}`);
  console.log(
    `  slowest ${Math.round(result.slowestMs)} ms, ${Math.round(result.peakMemoryMb)} MB, ${result.reached.size} endpoints accepted something`,
  );
  for (const offence of result.offences) console.log(`✗ ${offence}`);
  console.log(`${result.requests} requests, ${result.offenceCount} offences`);
}

/** One row for each write; bytes of one wallet. */
export function printStorage({ kept, claimsAccepted, leading, misses }: StorageResult): void {
  const width = Math.max(...kept.map(({ name }) => name.length));
  console.log(`\n  ${'write'.padEnd(width)}  first ${SENDS}  next ${SENDS}  an hour`);
  for (const { name, firstBytes, secondBytes, hourBytes, statuses } of kept) {
    const cells = [firstBytes, secondBytes, hourBytes].map((bytes, at) =>
      `${Math.round(bytes)}`.padStart(at === 0 ? 8 : 7),
    );
    console.log(`${hourBytes <= MOST_BYTES ? '✓' : '✗'} ${name.padEnd(width)}  ${cells.join('  ')}   ${statuses}`);
  }
  const all = kept.reduce((sum, { hourBytes }) => sum + hourBytes, 0);
  console.log(`  all of them together: ${Math.round(all / 1000)} kB an hour`);
  console.log(`  of 500 claims at once ${claimsAccepted} were accepted`);
  console.log(`  columns that lead from a deleted number to its wallet: ${leading.length}`);
  for (const miss of misses) console.log(`✗ ${miss}`);
}
