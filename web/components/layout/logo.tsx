import { cn } from '../../ui/class-names.ts';

export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" aria-hidden className={cn('shrink-0', className)}>
      <rect x="7" y="9" width="24" height="32" rx="6" transform="rotate(-16 19 25)" className="fill-bear" />
      <rect x="16" y="7" width="25" height="34" rx="6.5" transform="rotate(9 28 24)" className="fill-bg" />
      <rect x="17.5" y="8.5" width="22" height="31" rx="5" transform="rotate(9 28 24)" className="fill-accent" />
      <path
        d="m21.5 29.5 5-6 4 3.5 5.5-8.5m-4.6-.6 4.8.3 1 4.8"
        fill="none"
        strokeWidth="2.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-accent"
      />
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2', className)}>
      <LogoMark className="size-[1.9em]" />
      <span className="font-display font-extrabold tracking-[-0.045em]">snapswipe</span>
    </span>
  );
}
