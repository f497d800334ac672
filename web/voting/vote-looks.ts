import { TrendingDown, TrendingUp, type LucideIcon } from 'lucide-react';
import type { VoteType } from './vote-type.ts';

interface VoteLook {
  label: string;
  Icon: LucideIcon;
  button: string;
  chosen: string;
  edge: string;
}

export const VOTE_LOOKS: Record<VoteType, VoteLook> = {
  bearish: {
    label: 'Bearish',
    Icon: TrendingDown,
    button: 'border-bear bg-bear-soft text-bear hover:bg-bear hover:text-on-bear',
    chosen: 'border-bear bg-bear text-on-bear',
    edge: 'border-bear bg-bear-soft',
  },
  bullish: {
    label: 'Bullish',
    Icon: TrendingUp,
    button: 'border-bull bg-bull-soft text-bull hover:bg-bull hover:text-on-bull',
    chosen: 'border-bull bg-bull text-on-bull',
    edge: 'border-bull bg-bull-soft',
  },
};
