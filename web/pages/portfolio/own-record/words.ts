import { dayText } from '#shared/day-text.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { plural } from '#shared/plural.ts';
import type { BalanceFinding } from '#record/proof/own-balance.ts';
import type { UnknownVote, VoteFinding } from '#record/proof/own-votes.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { opposite } from '../../../voting/vote-type.ts';
import type { AnchorFinding } from './check-own-record.ts';

export type Tone = 'good' | 'waiting' | 'bad';

export const toneOf = ({ kind }: VoteFinding): Tone =>
  kind === 'recorded' ? 'good' : kind === 'waiting' ? 'waiting' : 'bad';

const isAnchored = (index: number, anchor: AnchorFinding): boolean => anchor.kind === 'anchored' && index < anchor.size;

const STATES: Record<VoteState, string> = {
  verified: 'verified',
  waiting: 'not verified yet',
  no_standing: 'excluded: your wallet held too little SUI',
  rhythm: 'excluded: looks automated',
  moderator: 'excluded by a moderator',
  replaced: 'replaced by your newer vote',
};

export const unknownText = ({ projectId, day, bullish }: UnknownVote): string =>
  `The record of ${dayText(day)} has a ${bullish ? 'bullish' : 'bearish'} vote in your name on project ${projectId} that is not in your list.`;

export function balanceText(balance: BalanceFinding): string {
  const when = dayText(balance.day);
  switch (balance.kind) {
    case 'proven': {
      const held = balance.held > 0 ? `, and ${balance.held.toLocaleString()} held for withdrawals,` : '';
      return `Your balance of ${plural(balance.balance, 'Snap')}${held} on ${when} is part of the ${balance.total.toLocaleString()} Snaps that the record says are owed.`;
    }
    case 'missing':
      return `Your balance is missing from the proof: on ${when} you were owed ${plural(balance.owed, 'Snap')}.`;
    case 'short':
      return `The proof of ${when} has ${plural(balance.proven, 'Snap')} for you; by your own list you were owed ${balance.owed.toLocaleString()}.`;
  }
}

export function findingText(finding: VoteFinding, vote: VoteHistoryItem, anchor: AnchorFinding): string {
  const direction = opposite(vote.voteType);
  switch (finding.kind) {
    case 'recorded': {
      const where = `In the record of ${dayText(finding.day)}`;
      const how = isAnchored(finding.index, anchor) ? 'on Sui' : 'signed';
      return `${where}, ${how}; ${STATES[finding.state]}`;
    }
    case 'waiting':
      return 'Newer than the record; it will be in the next one';
    case 'late':
      return 'Late: the record has not been updated since then';
    case 'missing':
      return `Missing: the record of ${dayText(vote.createdAt.slice(0, 10))} does not have this vote`;
    case 'turned':
      return `Different: the record of ${dayText(finding.day)} says ${direction}`;
    case 'twice':
      return `Different: the record of ${dayText(finding.day)} counts this vote twice`;
    case 'misplaced':
      return 'Different: another of your votes on this project counts, not the newest';
  }
}

export function anchorText(anchor: AnchorFinding): string {
  switch (anchor.kind) {
    case 'anchored':
      return `Stored on Sui: the site's wallet paid to the address that is the record of ${dayText(anchor.day)}.`;
    case 'unsigned':
      return 'This site signs its record and does not store it on Sui.';
    case 'waiting':
      return 'The record is signed. It is not on Sui yet.';
    case 'contradicted':
      return `The site says that the record of ${dayText(anchor.day)} is on Sui, but the Sui node shows no such payment by the site's wallet.`;
    case 'denied':
      return 'The site and its record name different wallets for storing it on Sui.';
    case 'unknown':
      return 'The Sui node does not respond, so only the signature was checked.';
  }
}
