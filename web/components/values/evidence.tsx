import { Info } from 'lucide-react';
import { type PointerEvent, useId, useState } from 'react';
import type { Project } from '#shared/contract/types.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { intervalText, nowText, verifiedText, type VoteCounts } from '#shared/numbers/interval.ts';
import { cn } from '../../ui/class-names.ts';

interface EvidenceProps {
  /** The votes of the share that is shown. */
  votes: VoteCounts;
  /** The other share: of the verified votes, or of all. */
  beside: string;
  /** That of the last 30 days, where it says something else. */
  now?: string | null;
  /** The closed day of what is not counted live (R94). */
  day: string | null;
  className?: string;
}

export function Evidence({ votes, beside, now, day, className }: EvidenceProps) {
  const interval = intervalText(votes);
  if (interval === '') return null;
  return (
    <span data-evidence className={cn('flex flex-wrap gap-x-3 text-sm text-muted', className)}>
      <span title="With 95% confidence the bullish share is in this range">likely {interval}</span>{' '}
      <span title="Verified: of wallets that hold SUI, not excluded">{beside}</span>
      {now ? (
        <>
          {' '}
          <span title="Votes given, changed or confirmed in the last 30 days">{now}</span>
        </>
      ) : null}{' '}
      <span title="Verified votes are counted once a day">{asOfText(day)}</span>
    </span>
  );
}

interface EvidenceLookProps {
  project: Pick<Project, 'name' | 'bullishCount' | 'bearishCount' | 'verified' | 'now' | 'figuresOn'>;
  place: string;
}

export function EvidenceLook({ project, place }: EvidenceLookProps) {
  const { name, bullishCount: bullish, bearishCount: bearish } = project;
  const votes = { bullish, bearish };
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (intervalText(votes) === '') return null;
  const onMouse = (open: boolean) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') setOpen(open);
  };
  return (
    <span className="relative z-10 inline-flex" onPointerEnter={onMouse(true)} onPointerLeave={onMouse(false)}>
      <button
        type="button"
        aria-label={`Evidence for ${name}`}
        aria-describedby={id}
        className="-m-2 grid size-9 place-items-center rounded-full text-faint transition-colors hover:text-text"
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false);
        }}
      >
        <Info aria-hidden size={17} />
      </button>
      <span
        id={id}
        role="tooltip"
        hidden={!isOpen}
        className={cn('absolute w-max max-w-56 rounded-lg border border-line-strong bg-overlay px-2.5 py-1.5', place)}
      >
        <Evidence
          votes={votes}
          beside={verifiedText(project.verified)}
          now={nowText(votes, project.now)}
          day={project.figuresOn}
          className="text-xs text-text"
        />
      </span>
    </span>
  );
}
