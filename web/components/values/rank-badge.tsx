import { cn } from '../../ui/class-names.ts';

const MEDALS = [
  { name: 'gold', look: 'bg-gold text-on-medal' },
  { name: 'silver', look: 'bg-silver text-on-medal' },
  { name: 'bronze', look: 'bg-bronze text-on-medal' },
];
const ENDINGS = ['th', 'st', 'nd', 'rd'];

export function ordinal(rank: number): string {
  const isTeen = Math.floor(rank / 10) % 10 === 1;
  return `${rank}${(isTeen ? null : ENDINGS[rank % 10]) ?? 'th'}`;
}

export function RankBadge({
  rank,
  ordinals = false,
  className,
}: {
  rank: number;
  ordinals?: boolean;
  className?: string;
}) {
  const medal = MEDALS[rank - 1];
  return (
    <span
      title={medal ? `${ordinal(rank)} place, ${medal.name}` : `${ordinal(rank)} place`}
      data-medal={medal?.name}
      className={cn(
        'inline-grid h-8 min-w-8 shrink-0 place-items-center rounded-full px-1.5 text-sm font-bold',
        medal ? `${medal.look} shadow-card` : 'bg-raised text-muted',
        className,
      )}
    >
      {ordinals ? ordinal(rank) : rank}
    </span>
  );
}
