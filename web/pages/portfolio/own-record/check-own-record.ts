import type { RecordSummary } from '#shared/contract/record.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import type { AnchorCandidate, OwnRecordResult, OwnRecordTask } from '#shared/proof/own-record.ts';
import type { VoteFinding } from '#shared/proof/own-votes.ts';
import { api } from '../../../lib/api.ts';
import { needed } from '../../../lib/chunks.ts';
import { fetchAllRows, fetchRows } from '../../../lib/fetch-page.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { siteConfig } from '../../../lib/site.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { runCheck } from './run-check.ts';

/** What a Sui node says of the newest states of the record. */
export type AnchorFinding =
  | ({ kind: 'anchored' } & AnchorCandidate)
  /** The server keeps no key for anchors: the record is signed, and nothing more. */
  | { kind: 'unsigned' }
  /** Nothing is on chain yet. */
  | { kind: 'waiting' }
  /** The server says that it is on chain, and the node does not show it. */
  | ({ kind: 'contradicted' } & AnchorCandidate)
  /** The node does not respond. */
  | { kind: 'unknown' };

export interface CheckedVote {
  vote: VoteHistoryItem;
  finding: VoteFinding;
}

/** All that the check of the own record found out; null for a site that has published none yet. */
export interface OwnRecordReport extends Omit<OwnRecordResult, 'votes'> {
  votes: CheckedVote[];
  anchor: AnchorFinding;
  verifierKey: string;
}

export type OwnRecord =
  | { kind: 'none' }
  | { kind: 'empty' }
  | { kind: 'no_votes' }
  | ({ kind: 'checked' } & OwnRecordReport);

/** The newest checkpoint that was checked here: a record that is rewritten later no longer begins with it. */
const SEEN_KEY = 'snapswipe_record_seen';
export const hasSeenRecord = (): boolean => readStored(SEEN_KEY) !== null;
export const startOver = (): void => writeStored(SEEN_KEY, null);

type BalanceReader = (address: string) => Promise<bigint>;

/** Asks a node for the newest states of the record until it shows one; what the server says is only compared. */
export async function findAnchor(
  { anchorSender, checkpoints }: Pick<RecordSummary, 'anchorSender' | 'checkpoints'>,
  candidates: readonly AnchorCandidate[],
  balanceOf: BalanceReader,
): Promise<AnchorFinding> {
  if (anchorSender === null) return { kind: 'unsigned' };
  const said = new Set(checkpoints.filter(({ anchorState }) => anchorState === 'anchored').map(({ size }) => size));
  try {
    for (const candidate of candidates) {
      if ((await balanceOf(candidate.address)) > 0n) return { kind: 'anchored', ...candidate };
      if (said.has(candidate.size)) return { kind: 'contradicted', ...candidate };
    }
    return { kind: 'waiting' };
  } catch {
    return { kind: 'unknown' };
  }
}

/** Balances in MIST by the Sui node that the page's wallet code uses too. */
const balanceOnChain: BalanceReader = async (address) => {
  const [{ network, rpcUrl }, { createSuiClient }] = await Promise.all([
    siteConfig(),
    needed(import('#chain/client.ts')),
  ]);
  const { balance } = await createSuiClient({ network, url: rpcUrl }).core.getBalance({ owner: address });
  return BigInt(balance.balance);
};

const isSound = ({ kind }: VoteFinding): boolean => kind === 'recorded' || kind === 'waiting';

/**
 * Reads the own votes, the own secret and the record, checks them beside the page, and asks a Sui node for the anchor (R42).
 * @throws CheckError where the record does not fit or cannot be read, ApiError
 */
export async function checkMine(userId: number, onProgress: (done: number, all: number) => void): Promise<OwnRecord> {
  const summary = await api.getRecord();
  const [newest] = summary.checkpoints;
  if (!summary.isPublished || summary.verifierKey === null) return { kind: 'none' };
  if (!newest) return { kind: 'empty' };
  const [votes, { secret }, { liability }] = await Promise.all([
    fetchAllRows((query) => fetchRows('listVotes', { params: { id: userId }, query: { ...query, limit: 500 } })),
    api.getVoterSecret(),
    api.getOwnLiability(),
  ]);
  if (votes.length === 0) return { kind: 'no_votes' };
  const task: OwnRecordTask = {
    baseUrl: `${location.origin}/log/`,
    verifierKey: summary.verifierKey,
    secret,
    votes: votes.map(({ project, period, voteType, createdAt }) => {
      return { projectId: project.id, period, bullish: voteType === 'bullish', createdAtMs: Date.parse(createdAt) };
    }),
    untilMs: Date.parse(newest.until),
    nowMs: serverNow(),
    liability,
    seenNote: readStored(SEEN_KEY),
  };
  const result = await runCheck(task, (done) => onProgress(done, votes.length));
  const anchor = await findAnchor(summary, result.anchors, balanceOnChain);
  const checked = votes.flatMap((vote, at): CheckedVote[] => {
    const finding = result.votes[at];
    return finding ? [{ vote, finding }] : [];
  });
  if (result.votes.every(isSound) && anchor.kind !== 'contradicted') writeStored(SEEN_KEY, result.note);
  return { kind: 'checked', ...result, votes: checked, anchor, verifierKey: summary.verifierKey };
}
