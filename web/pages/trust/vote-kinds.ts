import type { Trust } from '#shared/contract/standing.ts';
import { HATCHED } from '../../ui/facts.tsx';

export type VoteKind = keyof Pick<Trust, 'verified' | 'waiting' | 'noStanding' | 'rhythm' | 'moderator' | 'replaced'>;

interface KindLook {
  key: VoteKind;
  label: string;
  text: string;
  fill: string;
}

export const FILLS: Record<VoteKind, string> = {
  verified: 'bg-accent',
  waiting: 'bg-accent/40',
  noStanding: HATCHED,
  rhythm: 'bg-[repeating-linear-gradient(0deg,var(--c-muted)_0_3px,transparent_3px_6px)]',
  moderator: 'bg-muted',
  replaced: 'bg-[repeating-linear-gradient(90deg,var(--c-line-strong)_0_2px,transparent_2px_6px)]',
};

export const VOTE_KINDS: readonly KindLook[] = [
  {
    key: 'verified',
    label: 'Verified',
    text: 'The wallet held enough SUI on most checks',
    fill: FILLS.verified,
  },
  {
    key: 'waiting',
    label: 'Not verified yet',
    text: 'The wallet is too new, or holds too little SUI now; final after 35 days',
    fill: FILLS.waiting,
  },
  {
    key: 'noStanding',
    label: 'Excluded: held too little SUI',
    text: 'The wallet held too little SUI on most checks in the 35 days after the vote',
    fill: FILLS.noStanding,
  },
  {
    key: 'rhythm',
    label: 'Excluded: looks automated',
    text: 'Wallets on one network voted alike beyond chance',
    fill: FILLS.rhythm,
  },
  {
    key: 'moderator',
    label: 'Excluded by a moderator',
    text: 'A person decided so, with a reason that the voter can read',
    fill: FILLS.moderator,
  },
  {
    key: 'replaced',
    label: 'Replaced',
    text: 'The voter has voted on the project again in a later listing period',
    fill: FILLS.replaced,
  },
];
