import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from './away-page.ts';
import type { Pressure, PressureSource } from './pressure.ts';

/**
 * Kinds of requests for admission. `always`: health checks. `memory`: a read that may be in memory; asks when it turns out not to be.
 * `read`: any other read. `file`: of a page that was served already. `act`: writes, payments and the admin's. `vote`: waits in a queue of
 * its own.
 */
export type Kind = 'always' | 'memory' | 'read' | 'file' | 'act' | 'vote';

/** Rejected at each level: nothing, anonymous reads, all reads, everything except votes and cached responses. */
type Level = 0 | 1 | 2 | 3;

export const SHED = ['nothing', 'anonymous reads', 'reads', 'everything but votes'] as const;

export const DELAYS_MS = [70, 200, 500] as const;
export const READS = [200, 600] as const;
/** Open writes and payments, which also wait for the chain: more are refused, whatever the level. */
const MOST_ACTS = 1_000;

/** Below this share the machine is busy elsewhere, and refusing would not help. */
const LEAST_UTILIZATION = 0.6;
/** Weight of the newest reading (EWMA, ten readings a second). */
const WEIGHT = 0.4;
const LEAVE_AT = 0.7;
/** Cookies that this process does not know are looked up for this many requests between two readings: a made-up one has no session. */
const UNKNOWN_PER_READING = 10;

export type Known = 'session' | 'anonymous' | 'unknown';

type Counted = 'read' | 'act';

interface Admission {
  level(): Level;
  inFlight(): Readonly<Record<Counted, number>>;
  enter(kind: Kind, request: FastifyRequest, reply: FastifyReply): boolean;
}

interface AdmissionOptions {
  source: PressureSource | null;
  known: (request: FastifyRequest) => Known;
  isVoteQueueFull: () => boolean;
  onLevel?: (level: Level, reason: { delayMs: number; reads: number }) => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    admission: Admission;
  }
  interface FastifyRequest {
    countedAs: Counted | null;
  }
  interface FastifyContextConfig {
    kind?: Kind;
  }
}

function levelOf(value: number, limits: readonly number[], factor = 1): Level {
  let level = 0;
  for (const limit of limits) if (value >= limit * factor) level += 1;
  return level as Level;
}

/** The level of the event loop: up at once, down one at a time. */
function createGauge() {
  let [delayMs, level]: [number, Level] = [0, 0];
  return (reading: Pressure): Level => {
    const isOurs = reading.utilization >= LEAST_UTILIZATION;
    delayMs += WEIGHT * ((isOurs ? reading.delayMs : 0) - delayMs);
    const up = levelOf(delayMs, DELAYS_MS);
    if (up > level) level = up;
    else if (levelOf(delayMs, DELAYS_MS, LEAVE_AT) < level) level = (level - 1) as Level;
    return level;
  };
}

/**
 * Refuses early what could not be served in time, the least missed first; what is in memory costs as little as a rejection and is always
 * served. A vote and a poll from memory pass by a comparison of numbers.
 */
export function createAdmission(app: FastifyInstance, options: AdmissionOptions): Admission {
  const { source, known, isVoteQueueFull, onLevel } = options;
  let [loopLevel, toldLevel]: [Level, Level] = [0, 0];
  const inFlight = { read: 0, act: 0 };
  let unknownLeft = UNKNOWN_PER_READING;
  const gauge = createGauge();
  const level = (): Level => Math.max(loopLevel, levelOf(inFlight.read, READS)) as Level;
  const stop = source?.watch((reading) => {
    loopLevel = gauge(reading);
    unknownLeft = UNKNOWN_PER_READING;
    if (level() === toldLevel) return;
    toldLevel = level();
    onLevel?.(toldLevel, { delayMs: Math.round(reading.delayMs), reads: inFlight.read });
  });
  if (stop) {
    app.addHook('onClose', (_app, done) => {
      stop();
      done();
    });
  }

  function hasSession(request: FastifyRequest): boolean {
    const who = known(request);
    if (who !== 'unknown') return who === 'session';
    unknownLeft -= 1;
    return unknownLeft >= 0;
  }

  function isReadShed(request: FastifyRequest): boolean {
    const now = level();
    return now >= 2 || (now === 1 && !hasSession(request));
  }

  function isActShed(request: FastifyRequest): boolean {
    if (loopLevel === 3 || inFlight.act >= MOST_ACTS) return true;
    // A request without a cookie is a sign-in or gets refused later; a made-up cookie would cost a look-up.
    return level() > 0 && known(request) === 'unknown' && !hasSession(request);
  }

  function leave(request: FastifyRequest): void {
    if (request.countedAs === null) return;
    inFlight[request.countedAs] -= 1;
    request.countedAs = null;
  }

  /** Until its response begins, or its connection ends: a slow reader holds memory, and nothing of what is counted here. */
  function countUntilSent(kind: Counted, request: FastifyRequest, reply: FastifyReply): true {
    // A client that has already hung up would never leave the count.
    if (request.countedAs !== null || reply.raw.closed) return true;
    request.countedAs = kind;
    inFlight[kind] += 1;
    reply.raw.once('close', () => leave(request));
    return true;
  }

  app.decorateRequest('countedAs', null);
  app.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request);
    done();
  });

  return {
    level,
    inFlight: () => ({ ...inFlight }),
    enter(kind, request, reply) {
      // The queue of votes follows the pace of the database: while it has room, even a late loop counts votes.
      if (kind === 'vote') return !isVoteQueueFull();
      if (kind === 'memory' || kind === 'always') return true;
      if (kind === 'file') return level() < 2;
      const isShed = kind === 'read' ? isReadShed(request) : isActShed(request);
      return !isShed && countUntilSent(kind, request, reply);
    },
  };
}

const BODY = { error: 'busy', message: 'Snapswipe is busy. Please try again in a moment.' };
const LONGEST_RETRY_S = 3;

function refuseBusy(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .header('Retry-After', String(1 + Math.floor(Math.random() * LONGEST_RETRY_S)))
    .header('Cache-Control', 'no-store');
  return sendFailure(request, reply.code(503), BODY);
}

export function isRefused(kind: Kind, request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.server.admission.enter(kind, request, reply)) return false;
  void refuseBusy(request, reply);
  return true;
}
