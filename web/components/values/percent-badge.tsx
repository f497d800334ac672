import { TrendingDown, TrendingUp } from 'lucide-react';
import type { Tone } from '#shared/rules.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const TONES: Record<Tone, BadgeTone> = { green: 'bull', yellow: 'warn', red: 'bear' };

interface PercentBadgeProps {
  percent: number;
  tone: Tone;
  totalVotes: number;
  className?: string;
}

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
