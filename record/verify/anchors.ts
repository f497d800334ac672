import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { plural } from '#shared/plural.ts';
import { anchorAddress } from '../proof/anchor.ts';
import { DAY_MS, dayEndMs, dayStartMs } from '../entries/days.ts';
import type { Payment } from '#chain/paid.ts';
import type { Chain } from './chain.ts';
import type { RootedBatch } from './download.ts';
import { absent, type Check, Differences, unchecked } from './report.ts';

/** A later anchor is reported as late. After seven days it says too little about its day. */
const LATE_MS = 2 * DAY_MS;
const TOO_LATE_MS = 7 * DAY_MS;
/** The list may be this much older than what the chain shows. */
const LIST_AGE_MS = 600_000;
const NAME = 'Anchors';

export interface AnchorTask {
  batches: readonly RootedBatch[];
  /** Wallets that the log names, and the first batch of each. */
  anchors: ReadonlyArray<{ batch: number; sender: string | null }>;
  checkpoints: readonly RecordCheckpoint[];
  saidSender: string | null;
  chain: Chain;
  nowMs: number;
}

const days = (ms: number): string => plural(Math.floor(ms / DAY_MS), 'day');
const dateOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ');

interface Paid {
  byAddress: Map<string, Payment[]>;
  isWhole: boolean;
}

async function readPaid({ batches, checkpoints, chain }: AnchorTask, senders: ReadonlySet<string>): Promise<Paid> {
  const payments: Payment[] = [];
  let isWhole = true;
  const sinceMs = dayStartMs(batches[0]?.entry.day ?? '1970-01-01');
  for (const sender of senders) {
    const listed = await chain.paymentsBy(sender, sinceMs);
    if (listed) payments.push(...listed);
    else isWhole = false;
  }
  if (!isWhole) {
    for (const { anchorDigest } of checkpoints) {
      if (anchorDigest === null) continue;
      const found = await chain.paymentsIn(anchorDigest);
      payments.push(...found.filter(({ sender }) => senders.has(sender)));
    }
  }
  const byAddress = new Map<string, Payment[]>();
  for (const payment of payments) byAddress.set(payment.address, [...(byAddress.get(payment.address) ?? []), payment]);
  return { byAddress, isWhole };
}

async function compareList(
  { checkpoints, chain, nowMs }: AnchorTask,
  { day, size, address }: { day: string; size: number; address: string },
  found: readonly Payment[],
  differences: Differences,
): Promise<void> {
  const said = checkpoints.find((checkpoint) => checkpoint.size === size);
  if (!said) return;
  if (said.anchorAddress !== address) {
    differences.add(`${day}: the server names another address than ${address}`);
  }
  const [earliest] = found;
  if (!earliest) {
    if (said.anchorState !== 'anchored') return;
    const isPaidByOthers = (await chain.balanceMist(address)) > 0n;
    differences.add(
      isPaidByOthers
        ? `${day}: ${address} holds coins that another wallet sent, not the one that the record names`
        : `${day}: ${address} is not on Sui`,
    );
    return;
  }
  const isNamed = found.some(({ digest }) => digest === said.anchorDigest);
  const isOnItsWay = said.anchorState !== 'anchored' && nowMs - earliest.timeMs < LIST_AGE_MS;
  if (!isNamed && !isOnItsWay) {
    const name = said.anchorDigest ?? 'no transaction';
    differences.add(`${day}: the server names ${name} as the anchor, on Sui it is ${earliest.digest}`);
  }
}

/** A day is fixed by the earliest anchor of any checkpoint that contains it. */
function checkTimes(
  batches: readonly RootedBatch[],
  anchoredAtMs: ReadonlyArray<number | null>,
  nowMs: number,
  differences: Differences,
): { late: number; open: number; waiting: number } {
  const found = { late: 0, open: 0, waiting: 0 };
  let earliestMs: number | null = null;
  for (let at = batches.length - 1; at >= 0; at -= 1) {
    const day = batches[at]?.entry.day ?? '';
    const ownMs = anchoredAtMs[at] ?? null;
    if (ownMs !== null && (earliestMs === null || ownMs < earliestMs)) earliestMs = ownMs;
    const delayMs: number = (earliestMs ?? nowMs) - dayEndMs(day);
    if (delayMs > TOO_LATE_MS) {
      differences.add(
        earliestMs === null
          ? `${day}: no anchor in the ${days(delayMs)} since`
          : `${day}: anchored ${days(delayMs)} later, on ${dateOf(earliestMs)}`,
      );
    } else if (earliestMs === null) found[delayMs > LATE_MS ? 'open' : 'waiting'] += 1;
    else if (delayMs > LATE_MS) found.late += 1;
  }
  return found;
}

/** A payment to another address belongs to a second history, or to a newer part that is held back. */
function checkOtherRoots(paid: Paid, roots: ReadonlySet<string>, nowMs: number, differences: Differences): void {
  for (const [address, payments] of paid.byAddress) {
    if (roots.has(address)) continue;
    const other = payments.find(({ mist, timeMs }) => mist === 1n && timeMs < nowMs);
    if (other) {
      differences.add(
        `On ${dateOf(other.timeMs)} the wallet that anchors this record paid 1 MIST to ${address}, which is not a root of it: there is another history, or a newer one`,
      );
    }
  }
}

/**
 * Each day is fixed on chain: a wallet that the log names paid at least 1 MIST to the address that is the root (R62).
 */
export async function checkAnchors(task: AnchorTask): Promise<Check> {
  const { batches, anchors, checkpoints, saidSender, chain, nowMs } = task;
  const senders = new Set(anchors.flatMap(({ sender }) => sender ?? []));
  const isSaid = saidSender !== null || checkpoints.some(({ anchorDigest }) => anchorDigest !== null);
  if (senders.size === 0) {
    if (anchors.length === 0) return unchecked(NAME, 'The record does not say which wallet anchors it');
    if (!isSaid) return absent(NAME, 'none: the record says that its checkpoints are only signed');
  }
  const differences = new Differences();
  const newest = anchors.at(-1)?.sender ?? null;
  differences.expect(
    saidSender === newest,
    () => `The server names ${saidSender ?? 'no wallet'} as the one that anchors, the record ${newest ?? 'none'}`,
  );
  for (const [at, { batch, sender }] of anchors.entries()) {
    if (at > 0 && sender === null) differences.add(`${batches[batch]?.entry.day}: the record stops being anchored`);
  }
  let paid: Paid;
  const anchoredAtMs: Array<number | null> = [];
  try {
    paid = await readPaid(task, senders);
    for (const { root, entries, entry } of batches) {
      const address = anchorAddress(root);
      const found = (paid.byAddress.get(address) ?? []).toSorted((one, other) => one.timeMs - other.timeMs);
      anchoredAtMs.push(found[0]?.timeMs ?? null);
      await compareList(task, { day: entry.day, size: entries.end, address }, found, differences);
    }
  } catch {
    return unchecked(NAME, `The Sui node at ${chain.url} does not respond; name another one with --rpc`);
  }
  // Before the log named a wallet, nothing had to be anchored.
  const first = anchors.find(({ sender }) => sender !== null)?.batch ?? batches.length;
  const times = checkTimes(batches.slice(first), anchoredAtMs.slice(first), nowMs, differences);
  checkOtherRoots(paid, new Set(batches.map(({ root }) => anchorAddress(root))), nowMs, differences);
  const anchored = anchoredAtMs.filter((timeMs) => timeMs !== null).length;
  const parts = [
    `${anchored} of ${batches.length} roots found on Sui by ${chain.url}`,
    ...(times.late > 0 ? [`${plural(times.late, 'day')} anchored more than two days late`] : []),
    ...(times.waiting > 0 ? [`${times.waiting} not anchored yet`] : []),
    ...(times.open > 0 ? [`${times.open} not anchored for more than two days`] : []),
    ...(paid.isWhole ? [] : ['this node lists no transactions that far back: another history was not looked for']),
  ];
  const check = differences.check(NAME, parts.join('; '));
  return times.open > 0 && check.state === 'ok' ? unchecked(NAME, check.detail) : check;
}
