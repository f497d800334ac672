import { step } from '#ops/process/report.ts';
import { type OpenLoopResult, sendSteadily } from './open-loop.ts';
import { type Finding, median, spread } from './report.ts';
import { voteRequest } from './requests.ts';
import type { LabServer } from '../stack.ts';
import { startBenchServer } from './stack.ts';
import { type Arena, freshBallot, openWindows, ourRun } from './suite.ts';

/** Connections with which the closed loop measures the server's capacity. */
const CLOSED_CONNECTIONS = 256;
/** The number of concurrent voters that fills the queue of a quarter of a second and more. */
const OPEN_CONNECTIONS = 4_000;
const WARM_UP_SECONDS = 8;
const TIMES = [1, 3] as const;

interface Round {
  closed: number;
  open: Record<(typeof TIMES)[number], OpenLoopResult>;
}

async function steadily(arena: Arena, { url }: LabServer, perSecond: number): Promise<OpenLoopResult> {
  const ballot = await freshBallot(arena, false);
  await openWindows(arena);
  const request = (n: number): string => voteRequest(ballot, n);
  return sendSteadily({ url, perSecond, seconds: arena.pace.runSeconds, connections: OPEN_CONNECTIONS, request });
}

/** A closed loop, then the rate that it reached, then three times that rate, regardless of the responses. */
async function round(arena: Arena, server: LabServer): Promise<Round> {
  const closed = (await ourRun(arena, server, false, CLOSED_CONNECTIONS, arena.pace.runSeconds)).perSecond;
  return { closed, open: { 1: await steadily(arena, server, closed), 3: await steadily(arena, server, 3 * closed) } };
}

function describeRound({ closed, open }: Round): string {
  const parts = TIMES.map((times) => {
    const { acceptedPerSecond, acceptedP99Ms } = open[times];
    return `${times}×: ${Math.round(acceptedPerSecond)}/s accepted, p99 ${Math.round(acceptedP99Ms)} ms`;
  });
  return `closed loop ${Math.round(closed)}/s, ${parts.join(', ')}`;
}

interface Goals {
  /** Share of the best rate that is still accepted at three times the load. */
  atLeastShare?: number;
  atMostP99Ms?: number;
}

/**
 * Three times the votes that the server can take: how many of them it still counts, and how long those wait. `limit`
 * names the bottleneck.
 */
export async function overload(arena: Arena, limit: string, { atLeastShare, atMostP99Ms }: Goals): Promise<Finding[]> {
  const server = await startBenchServer(arena.lifecycle, arena.database.url, 1);
  await ourRun(arena, server, false, CLOSED_CONNECTIONS, WARM_UP_SECONDS);
  const rounds: Round[] = [];
  for (let at = 1; at <= arena.pace.pairs; at += 1) {
    await step(
      `Overload, ${limit} ${at}/${arena.pace.pairs}`,
      async () => void rounds.push(await round(arena, server)),
      () => `Overload, ${limit} ${at}/${arena.pace.pairs}: ${rounds.slice(-1).map(describeRound).join('')}`,
    );
  }
  await server.stop();
  const bests = rounds.map(({ closed, open }) => Math.max(closed, open[1].acceptedPerSecond));
  const shares = rounds.map(({ open }, at) => open[3].acceptedPerSecond / (bests[at] ?? Number.NaN));
  const sum = (field: 'sent' | 'accepted' | 'refused') =>
    rounds.reduce((total, { open }) => total + open[3][field], 0).toLocaleString('en');
  return [
    {
      name: `${limit}: accepted votes/s at 3 times the best ÷ best`,
      value: median(shares),
      unit: '×',
      ...(atLeastShare === undefined ? {} : { atLeast: atLeastShare }),
      detail: `${spread(rounds.map(({ open }) => open[3].acceptedPerSecond))} ÷ ${spread(bests)} votes/s; ${sum('sent')} sent over ${OPEN_CONNECTIONS} connections by the same machine, ${sum('accepted')} accepted, ${sum('refused')} refused with 503`,
    },
    ...TIMES.map((times): Finding => {
      const p99Ms = rounds.map(({ open }) => open[times].acceptedP99Ms);
      return {
        name: `${limit}: p99 of accepted votes at ${times} × the best`,
        value: median(p99Ms),
        unit: 'ms',
        ...(times === 3 && atMostP99Ms !== undefined ? { atMost: atMostP99Ms } : {}),
        detail: `${spread(p99Ms)}, from sent to answered`,
      };
    }),
  ];
}
