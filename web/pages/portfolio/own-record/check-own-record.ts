import type { Payment } from '#chain/paid.ts';
import type { RecordSummary } from '#shared/contract/record.ts';
import type { Activity, VoteHistoryItem } from '#shared/contract/users.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { type OwnBalance, ownBalance, type OwnWithdrawal } from '#record/proof/own-balance.ts';
import type { AnchorCandidate, OwnRecordResult, OwnRecordTask } from '#record/proof/own-record.ts';
import type { OwnProgress, OwnVote, VoteFinding } from '#record/proof/own-votes.ts';
import { api } from '../../../lib/api.ts';
import { needed } from '../../../lib/chunks.ts';
import { fetchAllRows, fetchPage, fetchRows } from '../../../lib/fetch-page.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { siteConfig } from '../../../lib/site.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { runCheck } from './run-check.ts';

export type AnchorFinding =
  | ({ kind: 'anchored' } & AnchorCandidate)
  /** The record names no anchor: it is signed, and nothing more. */
  | { kind: 'unsigned' }
  | { kind: 'waiting' }
  /** The server names a transaction that is not an anchor of the wallet which the record names. */
  | ({ kind: 'contradicted' } & AnchorCandidate)
  /** The record and the server name different wallets. */
  | { kind: 'denied' }
  | { kind: 'unknown' };

export interface CheckedVote {
  vote: VoteHistoryItem;
  finding: VoteFinding;
}

export interface OwnRecordReport extends Omit<OwnRecordResult, 'votes' | 'payouts'> {
  balance: OwnBalance;
  votes: CheckedVote[];
  anchor: AnchorFinding;
  verifierKey: string;
  witnesses: number;
}

/** 'lists': the user's own lists are read, 'anchor': a node of Sui is asked. */
export type Progress = OwnProgress | { step: 'lists' | 'anchor'; done: 0; all: 0 };

export type OwnRecord = { kind: 'none' } | { kind: 'empty' } | ({ kind: 'checked' } & OwnRecordReport);

/** The newest checkpoint that was checked here: a record that is rewritten later no longer begins with it. */
const SEEN_KEY = 'snapswipe_record_seen';
export const hasSeenRecord = (): boolean => readStored(SEEN_KEY) !== null;
export const startOver = (): void => writeStored(SEEN_KEY, null);

type PaymentReader = (digest: string) => Promise<readonly Pick<Payment, 'sender' | 'address'>[]>;

/** An anchor is a payment to the root by the wallet that the record names. The server only names transactions to look at. */
export async function findAnchor(
  { anchorSender, checkpoints }: Pick<RecordSummary, 'anchorSender' | 'checkpoints'>,
  record: Pick<OwnRecordResult, 'anchors' | 'anchorSender'>,
  paymentsIn: PaymentReader,
): Promise<AnchorFinding> {
  const named = record.anchorSender;
  if ((named ?? null) !== anchorSender) return { kind: 'denied' };
  if (!named) return { kind: 'unsigned' };
  const said = new Map(checkpoints.map((checkpoint) => [checkpoint.size, checkpoint]));
  try {
    for (const candidate of record.anchors) {
      const { anchorDigest = null, anchorState } = said.get(candidate.size) ?? {};
      const paid = anchorDigest === null ? [] : await paymentsIn(anchorDigest);
      const isAnchor = paid.some(({ sender, address }) => sender === named && address === candidate.address);
      if (isAnchor) return { kind: 'anchored', ...candidate };
      if (paid.length > 0 || anchorState === 'anchored') return { kind: 'contradicted', ...candidate };
    }
    return { kind: 'waiting' };
  } catch {
    return { kind: 'unknown' };
  }
}

const paymentsOnChain: PaymentReader = async (digest) => {
  const [{ network, rpcUrl }, { createSuiClient }, { paymentsIn }] = await Promise.all([
    siteConfig(),
    needed(import('#chain/client.ts')),
    needed(import('#chain/paid.ts')),
  ]);
  return paymentsIn(createSuiClient({ network, url: rpcUrl }), digest);
};

/** Snaps that these Books have paid to a wallet, by the Sui node; null where it does not respond. */
async function paidByBooks(books: readonly string[], wallet: string): Promise<number | null> {
  if (books.length === 0) return 0;
  const [{ network, rpcUrl }, { createSuiClient }, { readCoinsPaid }] = await Promise.all([
    siteConfig(),
    needed(import('#chain/client.ts')),
    needed(import('#chain/book.ts')),
  ]);
  return readCoinsPaid(createSuiClient({ network, url: rpcUrl }), books, wallet).catch(() => null);
}

export const isSound = ({ votes, unknown, balance, anchor }: OwnRecordReport): boolean =>
  votes.every(({ finding: { kind } }) => kind === 'recorded' || kind === 'waiting') &&
  unknown.length === 0 &&
  balance.more >= 0 &&
  balance.payouts.kind !== 'short' &&
  anchor.kind !== 'contradicted' &&
  anchor.kind !== 'denied';

const STATES: Partial<Record<Withdrawal['state'], OwnWithdrawal['state']>> = { paid: 'paid', rejected: 'rejected' };

/** All other lines of activity with Snaps are about withdrawals. */
const burnedBy = (activity: readonly Pick<Activity, 'kind' | 'tokens'>[]): number =>
  activity.reduce((sum, { kind, tokens }) => (kind === 'review_posted' ? sum - tokens : sum), 0);

const ownVoteOf = ({ project, period, opinions }: VoteHistoryItem): OwnVote => ({
  projectId: project.id,
  period,
  opinions: opinions.map(({ voteType, saidAt, identity }) => {
    return { bullish: voteType === 'bullish', atMs: Date.parse(saidAt), identity };
  }),
});

/** @throws CheckError where the record does not match or cannot be read, ApiError */
export async function checkMine(userId: number, onProgress: (progress: Progress) => void): Promise<OwnRecord> {
  const summary = await api.getRecord();
  const [newest] = summary.checkpoints;
  if (!summary.isPublished || summary.verifierKey === null) return { kind: 'none' };
  if (!newest) return { kind: 'empty' };
  const { witnesses } = summary;
  const params = { id: userId };
  const balanceShown = async () => (await api.getStats({ params })).tokenBalance;
  const before = await balanceShown();
  const [votes, activity, withdrawals, { secret }, { walletAddress }] = await Promise.all([
    fetchAllRows((query) => fetchRows('listVotes', { params, query: { ...query, limit: 500 } })),
    fetchAllRows((query) => fetchRows('listActivity', { params, query: { ...query, limit: 100 } })),
    fetchAllRows(async (query) => {
      const { body, ...place } = await fetchPage('listWithdrawals', { query: { ...query, limit: 100 } });
      return { ...place, rows: body.withdrawals };
    }),
    api.getVoterSecret(),
    api.getUser({ params }),
  ]);
  const shown = [before, await balanceShown()] as const;
  const untilMs = Date.parse(newest.until);
  const task: OwnRecordTask = {
    baseUrl: `${location.origin}/log/`,
    verifierKey: summary.verifierKey,
    secret,
    votes: votes.map(ownVoteOf),
    untilMs,
    nowMs: serverNow(),
    seenNote: readStored(SEEN_KEY),
    witnesses,
  };
  const { payouts, ...result } = await runCheck(task, onProgress);
  onProgress({ step: 'anchor', done: 0, all: 0 });
  const anchor = await findAnchor(summary, result, paymentsOnChain);
  const lists = {
    votes: votes.length,
    burned: burnedBy(activity),
    withdrawals: withdrawals.map(({ tokenAmount: snaps, state, digest, updatedAt }) => {
      return { snaps, state: STATES[state] ?? 'open', digest, atMs: Date.parse(updatedAt) };
    }),
    shown,
  };
  const byBooks = await paidByBooks(payouts.books, walletAddress);
  const balance = ownBalance(lists, { byHand: payouts.byHand, byBooks, untilMs });
  const checked = votes.flatMap((vote, at): CheckedVote[] => {
    const finding = result.votes[at];
    return finding ? [{ vote, finding }] : [];
  });
  const report: OwnRecordReport = {
    ...result,
    votes: checked,
    balance,
    anchor,
    verifierKey: summary.verifierKey,
    witnesses: witnesses.length,
  };
  if (isSound(report)) writeStored(SEEN_KEY, result.note);
  return { kind: 'checked', ...report };
}
