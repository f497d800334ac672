import { dayText } from '#shared/text/day-text.ts';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { plural } from '#shared/numbers/plural.ts';
import type { OwnBalance } from '#record/proof/own-balance.ts';
import type { UnknownVote, VoteFinding } from '#record/proof/own-votes.ts';
import type { VoteState } from '#shared/states/votes.ts';
import type { AnchorFinding, Progress } from './check-own-record.ts';

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

const directionOf = (bullish: boolean): string => (bullish ? 'bullish' : 'bearish');

export const unknownText = ({ projectId, day, bullish }: UnknownVote): string =>
  `The record of ${dayText(day)} has a ${directionOf(bullish)} vote in your name on project ${projectId} that is not in your list.`;

/** '10 × 6 votes − 50 paid = 10 Snaps' */
function equationOf({ votes, burned, paid, held, balance }: OwnBalance): string {
  const less = Object.entries({ burned, paid, held }).map(([what, snaps]) =>
    snaps === 0 ? '' : ` − ${snaps.toLocaleString()} ${what}`,
  );
  return `10 × ${plural(votes, 'vote')}${less.join('')} = ${plural(balance, 'Snap')}`;
}

export function balanceText(own: OwnBalance): string {
  const { more, balance } = own;
  if (more === 0) return `${equationOf(own)}, which is your balance.`;
  const shown = `${equationOf(own)}, and the site shows ${(balance + more).toLocaleString()}`;
  return more < 0
    ? `${shown}: ${plural(-more, 'Snap is', 'Snaps are')} missing.`
    : `${shown}: ${more.toLocaleString()} more, which it granted.`;
}

export const balanceTone = ({ more }: OwnBalance): Tone => (more === 0 ? 'good' : more < 0 ? 'bad' : 'waiting');

const PAYOUT_TONES: Record<OwnBalance['payouts']['kind'], Tone> = {
  even: 'good',
  away: 'waiting',
  ahead: 'waiting',
  waiting: 'waiting',
  short: 'bad',
};
export const payoutsTone = ({ payouts }: OwnBalance): Tone => PAYOUT_TONES[payouts.kind];

/** Null where nothing was paid. */
export function payoutsText({ paid, payouts }: OwnBalance): string | null {
  switch (payouts.kind) {
    case 'even':
      return paid === 0 ? null : `${plural(paid, 'Snap')} were paid to you, by Sui and the record as by your list.`;
    case 'away':
      return 'The Sui node does not respond, so what was paid to your wallet was not checked.';
    case 'ahead':
      return `Sui shows ${plural(payouts.by, 'Snap')} more paid to your wallet than your list: to an account that you deleted, or before a restored backup. Your next withdrawals use up the latter.`;
    case 'waiting':
      return `${plural(payouts.by, 'Snap')} paid to you by hand will be in the next record.`;
    case 'short':
      return `Your list has ${plural(paid, 'Snap')} as paid; ${payouts.by.toLocaleString()} of them are neither in a Book on Sui nor in the record.`;
  }
}

export function progressText({ step, done, all }: Progress): string {
  const [checked, of] = [done.toLocaleString(), all.toLocaleString()];
  switch (step) {
    case 'lists':
      return 'Reading your votes and balance…';
    case 'votes':
      return `Checked ${checked} of ${of} votes…`;
    case 'search':
      return `Searching the record for other votes in your name: ${checked} of ${of}…`;
    case 'checkpoints':
      return 'Checking the newest days of the record…';
    case 'payouts':
      return 'Looking for payouts in the record…';
    case 'anchor':
      return 'Looking for the record on Sui…';
  }
}

/** The days on which a vote was changed or confirmed, as the user's own list has them. */
function laterDays({ opinions }: VoteHistoryItem): string {
  const days = opinions.slice(1).map(({ saidAt }) => dayText(saidAt.slice(0, 10)));
  if (days.length === 0) return '';
  return days.length > 3
    ? `; changed or confirmed ${days.length} times`
    : `; changed or confirmed on ${days.join(', ')}`;
}

export function findingText(finding: VoteFinding, vote: VoteHistoryItem, anchor: AnchorFinding): string {
  switch (finding.kind) {
    case 'recorded': {
      const where = `In the record of ${dayText(finding.day)}`;
      const how = isAnchored(finding.index, anchor) ? 'on Sui' : 'signed';
      return `${where}, ${how}; ${STATES[finding.state]}${laterDays(vote)}`;
    }
    case 'waiting':
      return 'Newer than the record; it will be in the next one';
    case 'late':
      return 'Late: the record has not been updated since then';
    case 'missing':
      return finding.day === vote.createdAt.slice(0, 10)
        ? `Missing: the record of ${dayText(finding.day)} does not have this vote`
        : `Missing: the record does not have your change or confirmation of ${dayText(finding.day)}`;
    case 'turned':
      return `Different: the record of ${dayText(finding.day)} says ${directionOf(finding.bullish)}`;
    case 'invented':
      return `Different: by the record you said ${directionOf(finding.bullish)} again on ${dayText(finding.day)}; your list does not have that`;
    case 'redated':
      return `Different: the record says ${dayText(finding.day)} for what you said on ${dayText(finding.saidOn)}`;
    case 'misattributed':
      return `Different: by the record of ${dayText(finding.day)} you voted on identity ${finding.identity} of this project, by your list on identity ${finding.ownIdentity}`;
    case 'twice':
      return `Different: the record of ${dayText(finding.day)} counts this vote twice`;
    case 'misplaced':
      return 'Different: another of your votes on this project counts, not the newest';
  }
}

export function anchorText(anchor: AnchorFinding): string {
  switch (anchor.kind) {
    case 'anchored':
      return `The record of ${dayText(anchor.day)} is stored on Sui.`;
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
