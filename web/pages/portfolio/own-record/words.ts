import type { VoteHistoryItem } from '#shared/contract/users.ts';
import type { VoteFinding } from '#shared/proof/own-votes.ts';
import type { AnchorFinding } from './check-own-record.ts';

/** 'November 21', as the reader's language writes it; with the year where it is another one. */
export function dayText(day: string, nowMs: number): string {
  const isThisYear = day.startsWith(new Date(nowMs).toISOString().slice(0, 4));
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  });
}

/** How a vote is shown: it is in the record, will be, or does not fit. */
export type Tone = 'good' | 'waiting' | 'bad';

export const toneOf = ({ kind }: VoteFinding): Tone =>
  kind === 'recorded' ? 'good' : kind === 'waiting' ? 'waiting' : 'bad';

const isAnchored = (index: number, anchor: AnchorFinding): boolean => anchor.kind === 'anchored' && index < anchor.size;

/** What the check found of one vote, in words. */
export function findingText(finding: VoteFinding, vote: VoteHistoryItem, anchor: AnchorFinding, nowMs: number): string {
  const direction = vote.voteType === 'bullish' ? 'bearish' : 'bullish';
  switch (finding.kind) {
    case 'recorded': {
      const where = `In the record of ${dayText(finding.day, nowMs)}`;
      const how = isAnchored(finding.index, anchor) ? 'anchored' : 'signed';
      return finding.state === 'replaced' ? `${where}, ${how}; replaced by your newer vote` : `${where}, ${how}`;
    }
    case 'waiting':
      return 'Newer than the record; it will be in the next one';
    case 'late':
      return 'Should be in the record by now, which has not been continued';
    case 'missing':
      return `Missing: the record of ${dayText(vote.createdAt.slice(0, 10), nowMs)} does not have this vote`;
    case 'turned':
      return `Different: the record of ${dayText(finding.day, nowMs)} says ${direction}`;
    case 'twice':
      return `Different: the record of ${dayText(finding.day, nowMs)} counts this vote twice`;
    case 'misplaced':
      return 'Different: of your votes on this project, another one than the newest counts';
  }
}

/** What a node says of the newest state of the record, in words. */
export function anchorText(anchor: AnchorFinding, nowMs: number): string {
  switch (anchor.kind) {
    case 'anchored':
      return `Anchored on Sui: the record of ${dayText(anchor.day, nowMs)} is an address on the chain.`;
    case 'unsigned':
      return 'This site signs its record and does not anchor it on Sui.';
    case 'waiting':
      return 'The record is signed. Its anchor is not on Sui yet.';
    case 'contradicted':
      return `The site says that the record of ${dayText(anchor.day, nowMs)} is anchored, and the Sui node does not show it.`;
    case 'unknown':
      return 'The Sui node does not respond, so the anchor could not be checked. The signature was.';
  }
}
