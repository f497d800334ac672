import type { RecordCheckpoint } from '#shared/contract/record.ts';
import { plural } from '#shared/numbers/plural.ts';
import { anchorAddress } from '../proof/anchor.ts';
import { allInOrder } from '../proof/in-order.ts';
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
const OLDER = 'Older anchors';

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
  /** All payments since this moment are known. */
  listedSinceMs: number;
}

async function readPaid({ batches, checkpoints, chain }: AnchorTask, senders: ReadonlySet<string>): Promise<Paid> {
  const byAddress = new Map<string, Payment[]>();
  const add = (payment: Payment) =>
    void byAddress.set(payment.address, [...(byAddress.get(payment.address) ?? []), payment]);
  let listedSinceMs = dayStartMs(batches[0]?.entry.day ?? '1970-01-01');
  const sinceMs = listedSinceMs;
  for (const sender of senders) {
    const listed = await chain.paymentsBy(sender, sinceMs);
    listedSinceMs = Math.max(listedSinceMs, listed.sinceMs);
    for (const payment of listed.payments) add(payment);
  }
  // Payments that the node does not list, or not yet, may still be found one by one.
  const digests = checkpoints.flatMap(({ anchorAddress: address, anchorDigest }) =>
    anchorDigest === null || byAddress.has(address) ? [] : anchorDigest,
  );
  const found = await allInOrder(digests, chain.paymentsIn);
  for (const payment of found.flat()) if (senders.has(payment.sender)) add(payment);
  return { byAddress, listedSinceMs };
}

/** Differences between what the site says about the anchor of a day and what the chain shows. */
async function compareList(
  { checkpoints, chain, nowMs }: AnchorTask,
  { day, size, address, isListed }: { day: string; size: number; address: string; isListed: boolean },
  found: readonly Payment[],
): Promise<string[]> {
  const said = checkpoints.find((checkpoint) => checkpoint.size === size);
  if (!said) return [];
  const other = said.anchorAddress === address ? [] : [`${day}: the server names another address than ${address}`];
  const [earliest] = found;
  if (!earliest) {
    if (said.anchorState !== 'anchored') return other;
    // A pruned node no longer lists payments, but no key can spend what they brought.
    if ((await chain.balanceMist(address)) === 0n) return [...other, `${day}: ${address} is not on Sui`];
    if (!isListed) return other;
    return [...other, `${day}: ${address} holds coins that another wallet sent, not the one that the record names`];
  }
  const isNamed = found.some(({ digest }) => digest === said.anchorDigest);
  const isOnItsWay = said.anchorState !== 'anchored' && nowMs - earliest.timeMs < LIST_AGE_MS;
  if (isNamed || isOnItsWay) return other;
  const name = said.anchorDigest ?? 'no transaction';
  return [...other, `${day}: the server names ${name} as the anchor, on Sui it is ${earliest.digest}`];
}

interface Times {
  late: number;
  open: number;
  waiting: number;
  /** Days whose anchor the node may no longer show. */
  unknown: string[];
}

/** A day is fixed by the earliest anchor of any checkpoint that contains it. */
function checkTimes(
  batches: readonly RootedBatch[],
  anchoredAtMs: ReadonlyArray<number | null>,
  { nowMs, listedSinceMs }: { nowMs: number; listedSinceMs: number },
  differences: Differences,
): Times {
  const found: Times = { late: 0, open: 0, waiting: 0, unknown: [] };
  let earliestMs: number | null = null;
  let isShown = true;
  for (let at = batches.length - 1; at >= 0; at -= 1) {
    const day = batches[at]?.entry.day ?? '';
    const ownMs = anchoredAtMs[at] ?? null;
    if (ownMs !== null && (earliestMs === null || ownMs < earliestMs)) earliestMs = ownMs;
    if (ownMs === null && dayEndMs(day) < listedSinceMs) isShown = false;
    const delayMs: number = (earliestMs ?? nowMs) - dayEndMs(day);
    if (delayMs > LATE_MS && !isShown) found.unknown.push(day);
    else if (delayMs > TOO_LATE_MS) {
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

/** A payment to another address, of whatever amount, may anchor a second history, or a newer part that is held back. */
function checkOtherRoots(
  { byAddress }: Paid,
  roots: ReadonlySet<string>,
  nowMs: number,
  differences: Differences,
): void {
  for (const [address, payments] of byAddress) {
    if (roots.has(address)) continue;
    const other = payments.find(({ timeMs }) => timeMs < nowMs - LIST_AGE_MS);
    if (other) {
      differences.add(
        `On ${dateOf(other.timeMs)} the wallet that anchors this record paid ${other.mist.toLocaleString('en')} MIST to ${address}, which is not a root of it: there is another history, or a newer one`,
      );
    }
  }
}

/** Payments that the node no longer lists can be neither confirmed nor denied. */
function olderAnchors(url: string, listedSinceMs: number, unknown: readonly string[]): Check {
  const since = Number.isFinite(listedSinceMs) ? ` before ${dateOf(listedSinceMs)}` : '';
  const [last, first] = [unknown[0], unknown.at(-1)];
  const which =
    last === undefined
      ? ''
      : `, of which ${plural(unknown.length, 'day')} from ${first} to ${last} have no anchor there`;
  return unchecked(
    OLDER,
    `${url} does not list the payments${since}${which}: another history was not looked for; name another node with --rpc`,
  );
}

/** Each day is fixed on chain: a wallet that the log names paid at least 1 MIST to the address that is the root (R62). */
export async function checkAnchors(task: AnchorTask): Promise<Check[]> {
  const { batches, anchors, checkpoints, saidSender, chain, nowMs } = task;
  const senders = new Set(anchors.flatMap(({ sender }) => sender ?? []));
  const isSaid = saidSender !== null || checkpoints.some(({ anchorDigest }) => anchorDigest !== null);
  if (senders.size === 0) {
    if (anchors.length === 0) return [unchecked(NAME, 'The record does not say which wallet anchors it')];
    if (!isSaid) return [absent(NAME, 'none: the record says that its checkpoints are only signed')];
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
    const { byAddress, listedSinceMs } = paid;
    const found = batches.map(({ root }) =>
      (byAddress.get(anchorAddress(root)) ?? []).toSorted((one, other) => one.timeMs - other.timeMs),
    );
    anchoredAtMs.push(...found.map(([earliest]) => earliest?.timeMs ?? null));
    const wrong = await allInOrder(
      [...batches.entries()],
      ([
        at,
        {
          root,
          entries,
          entry: { day },
        },
      ]) => {
        const isListed = dayEndMs(day) >= listedSinceMs;
        return compareList(task, { day, size: entries.end, address: anchorAddress(root), isListed }, found[at] ?? []);
      },
    );
    for (const difference of wrong.flat()) differences.add(difference);
  } catch {
    return [unchecked(NAME, `The Sui node at ${chain.url} does not respond; name another one with --rpc`)];
  }
  const { listedSinceMs } = paid;
  // Before the log named a wallet, nothing had to be anchored.
  const first = anchors.find(({ sender }) => sender !== null)?.batch ?? batches.length;
  const times = checkTimes(batches.slice(first), anchoredAtMs.slice(first), { nowMs, listedSinceMs }, differences);
  checkOtherRoots(paid, new Set(batches.map(({ root }) => anchorAddress(root))), nowMs, differences);
  const anchored = anchoredAtMs.filter((timeMs) => timeMs !== null).length;
  const parts = [
    `${anchored} of ${batches.length} roots found on Sui by ${chain.url}`,
    ...(times.late > 0 ? [`${plural(times.late, 'day')} anchored more than two days late`] : []),
    ...(times.waiting > 0 ? [`${times.waiting} not anchored yet`] : []),
    ...(times.open > 0 ? [`${times.open} not anchored for more than two days`] : []),
  ];
  const check = differences.check(NAME, parts.join('; '));
  const isComplete = times.open === 0 && Number.isFinite(listedSinceMs);
  const isWhole = listedSinceMs <= dayStartMs(batches[0]?.entry.day ?? '1970-01-01');
  return [
    check.state === 'ok' && !isComplete ? unchecked(NAME, check.detail) : check,
    ...(isWhole ? [] : [olderAnchors(chain.url, listedSinceMs, times.unknown)]),
  ];
}
