import { TrendingDown, TrendingUp } from 'lucide-react';
import type { Tone } from '#shared/rules.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const TONES: Record<Tone, BadgeTone> = { green: 'bull', yellow: 'warn', red: 'bear' };

interface PercentBadgeProps {
  percent: number;
  /** The caller's rule: `percentTone` on lists (S2.37), green from 50 on the landing page (S1.2). */
  tone: Tone;
  totalVotes: number;
  className?: string;
}

/** '72% bullish' with an arrow. Without votes it shows no percentage. */
export function PercentBadge({ percent, tone, totalVotes, className }: PercentBadgeProps) {
  const looks = className ? { className } : {};
  if (totalVotes === 0) return <Badge {...looks}>No votes yet</Badge>;
  const Icon = tone === 'red' ? TrendingDown : TrendingUp;
  return (
    <Badge tone={TONES[tone]} {...looks}>
      <Icon aria-hidden size={16} />
      {percent}% bullish
    </Badge>
  );
}
