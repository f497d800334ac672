import { cn } from '../../ui/class-names.ts';

export function SnapCoin({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={cn('shrink-0', className)}>
      <circle cx="12" cy="12" r="11" className="fill-gold" />
      <circle cx="12" cy="12" r="8.4" fill="none" strokeWidth="1.3" className="stroke-on-medal opacity-35" />
      <path d="M13.4 5.4 7.6 13h3.7l-.8 5.6 5.9-7.8h-3.7z" className="fill-on-medal" />
    </svg>
  );
}
