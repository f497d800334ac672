import type { RecordSummary } from '#shared/contract/record.ts';
import { dayEndMs, dayOfMs } from '../entries/days.ts';
import { RecordUnavailable, remoteFiles } from '../proof/remote-files.ts';
import { checkAnchors } from './anchors.ts';
import { type Chain, openChain } from './chain.ts';
import { checkAge } from './checkpoints.ts';
import { type KnownLogs, type Memory, readMemory, knownLogs, type Seen, StateError, writeSeen } from './memory.ts';
import { NOT_READ, type RecordResult, verifyRecord } from './record.ts';
import type { OwnVote } from './recount.ts';
import { type Check, isGood, unchecked } from './report.ts';
import { checkReserves } from './reserves.ts';
import type { RecordedDays } from './shown.ts';
import { readSite, type Site } from './site.ts';
import { checkSite, readProjects } from './site-checks.ts';
import { checkWitnesses, type Witness } from './witnesses.ts';

export interface VerifyOptions {
  /** `https://snapswipe.example`, without a slash at the end. */
  origin: string;
  /** The Sui node that is asked for anchors; the site's own by default. */
  rpcUrl?: string | undefined;
  /** The log's key as its users know it; the site's own by default. */
  verifierKey?: string | undefined;
  /** File with the state of checked sites; null: nothing is stored. */
  stateFile?: string | null;
  /** Witnesses that the caller trusts, and how many of them must have cosigned the newest checkpoint. */
  witnesses?: readonly Witness[];
  quorum?: number;
  /** A voter's secret: every vote of that voter is listed. */
  secret?: Uint8Array | null;
  /** Time after which a run stops reading. */
  minutes?: number;
  /** Time for the first byte of a response, and for each half megabyte after it. */
  timeoutMs?: number;
  onProgress?: (text: string) => void;
  wait?: (ms: number) => Promise<void>;
  now?: () => number;
}

export interface Verification {
  title: string;
  checks: Check[];
  ownVotes: string[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Uses the list of checkpoints, which History compares with the record. */
function recordedDays(checkpoints: ReadonlyArray<{ day: string; until: string }>): RecordedDays {
  const [first, last] = [checkpoints[0], checkpoints.at(-1)];
  const isWhole = last && Date.parse(last.until) === dayEndMs(last.day);
  const lastDay = last?.day ?? '1970-01-01';
  return { first: first?.day ?? lastDay, last: isWhole ? lastDay : dayOfMs(dayEndMs(lastDay) - 2 * 86_400_000) };
}

async function chainOf(site: Site, rpcUrl: string | undefined): Promise<ReturnType<typeof openChain>> {
  const { network, rpcUrl: own } = await site.config();
  return openChain({ network, url: rpcUrl ?? own });
}

/** However many projects and files a site makes up, a run ends: what was not read by then is unchecked. */
function limitOf(minutes: number): (path: string) => void {
  const endsAtMs = performance.now() + minutes * 60_000;
  return (path) => {
    if (performance.now() < endsAtMs) return;
    throw new RecordUnavailable(`${path} was not read: this run has taken ${minutes} minutes (--minutes allows more)`);
  };
}

const clockOf = (chain: Chain): Promise<number | null> => chain.clockMs().catch(() => null);

/** A false record must not become the reference of the next check. */
async function storeSeen(
  { stateFile, origin }: { stateFile: string; origin: string },
  { checks }: RecordResult,
  seen: Seen,
): Promise<Check | null> {
  if (!isGood(checks)) return null;
  try {
    await writeSeen(stateFile, origin, seen);
    return null;
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return unchecked('Memory', error.message);
  }
}

function textOfOwnVote({ projectId, period, opinions, state }: OwnVote): string {
  const said = opinions.map(({ bullish, day, identity }) => {
    return `${bullish ? 'bullish' : 'bearish'} on ${day}${identity === 1 ? '' : ` (identity ${identity})`}`;
  });
  return `  project ${projectId}${period === 1 ? '' : ` in period ${period}`}: ${said.join(', ')}, ${state}`;
}

function keyOf({ isPublished, verifierKey, checkpoints }: RecordSummary, options: VerifyOptions): string {
  const key = options.verifierKey ?? verifierKey;
  if (!isPublished || key === null) throw new RecordUnavailable(`${options.origin} keeps no record`);
  if (checkpoints.length === 0) throw new RecordUnavailable(`The record of ${options.origin} has not begun yet`);
  return key;
}

/** Downloads the record of a site and recomputes what follows from it (R43, R62). @throws RecordUnavailable, RecordError, StateError */
export async function verifySite(options: VerifyOptions): Promise<Verification> {
  const { origin, stateFile = null, wait = pause, onProgress = () => undefined, now = Date.now } = options;
  const { minutes = Infinity, timeoutMs, witnesses = [], quorum = witnesses.length, secret = null } = options;
  const nowMs = now();
  const memory: Memory | null = stateFile === null ? null : await readMemory(stateFile);
  const reading = { wait, timeoutMs, beforeRead: limitOf(minutes) };
  const site = readSite({ ...reading, baseUrl: `${origin}/` });
  const summary = await site.record();
  const verifierKey = keyOf(summary, options);
  const files = remoteFiles({ ...reading, baseUrl: `${origin}/log/` });
  const loadCheckpoints = site.checkpoints;
  const days = recordedDays(await loadCheckpoints());
  const reader = readProjects(site, days);
  const known: Partial<KnownLogs> = memory ? knownLogs(memory, origin, verifierKey) : {};
  const task = { files, verifierKey, loadCheckpoints, ...known, secret, onProgress, wait, onProject: reader.add };
  const record = await verifyRecord(task);
  const { batches, checkpoint, recounted, anchors, checkpoints } = record;
  const chain = await chainOf(site, options.rpcUrl);
  const chainMs = await clockOf(chain);
  const newestDay = batches.at(-1)?.entry.day ?? '';
  const saidSender = summary.anchorSender;
  const reached = recounted && {
    site,
    record,
    verifierKey,
    recounted,
    days,
    reader,
    claim: known.seen?.claim ?? null,
    restores: summary.restores,
    onProgress,
    wait,
  };
  const shown = await checkSite(reached, NOT_READ);
  const checks = [
    ...record.checks,
    ...(newestDay === '' ? [] : [checkAge(newestDay, nowMs, chainMs)]),
    checkWitnesses({
      note: record.note,
      witnesses,
      quorum,
      named: summary.witnesses,
      nowMs: Math.max(nowMs, chainMs ?? nowMs),
    }),
    ...(await checkAnchors({ batches, anchors, checkpoints, saidSender, chain, nowMs })),
    ...shown.checks,
    await checkReserves({ site, record, chain, wait }),
  ];
  const failed =
    stateFile === null
      ? null
      : await storeSeen({ stateFile, origin }, record, {
          key: verifierKey,
          note: record.note,
          checkedAt: new Date(nowMs).toISOString(),
          // Votes that were shown and have vanished are demanded again.
          claim: (isGood(shown.checks) ? shown.claim : null) ?? known.seen?.claim,
        });
  return {
    title: `The record of ${checkpoint.origin} until ${newestDay || 'now'}`,
    checks: failed ? checks.map((check) => (check.name === failed.name ? failed : check)) : checks,
    ownVotes: recounted?.own.map(textOfOwnVote) ?? [],
  };
}
