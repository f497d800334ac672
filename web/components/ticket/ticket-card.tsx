import { cn } from '../../ui/class-names.ts';
import { VOTE_LOOKS } from '../../voting/vote-looks.ts';
import type { VoteType } from '../../voting/vote-type.ts';
import { ProjectImage } from '../project/project-image.tsx';

export interface TicketFace {
  name: string;
  /** Null for a project that is hidden. */
  imageUrl: string | null;
  /** Null while the direction is not known here. */
  voteType: VoteType | null;
}

interface TicketCardProps {
  /** Null for a place without a vote. */
  face: TicketFace | null;
  /** Width of the place in CSS px. */
  width: number;
  eager?: boolean;
  className?: string;
}

/** A card of the ticket (R98): a small picture with the stamp of its vote, by color and arrow. The words are elsewhere. */
export function TicketCard({ face, width, eager = false, className }: TicketCardProps) {
  const look = face?.voteType && VOTE_LOOKS[face.voteType];
  return (
    <span
      aria-hidden
      data-stamp={face ? (face.voteType ?? 'none') : undefined}
      className={cn(
        'relative block aspect-3/4 overflow-hidden rounded-[14%/10.5%]',
        face ? 'bg-raised' : 'border border-line-strong/50 bg-line/60',
        className,
      )}
    >
      {face ? (
        <ProjectImage
          src={face.imageUrl ?? ''}
          name={face.name}
          alt=""
          width={width}
          height={(width * 4) / 3}
          eager={eager}
          className="size-full"
        />
      ) : null}
      {look ? (
        <>
          <span className={cn('absolute inset-0 rounded-[inherit] border-2 bg-transparent!', look.chosen)} />
          <span
            className={cn(
              'absolute start-0 top-0 grid aspect-square w-[max(0.75rem,30%)] place-items-center rounded-ee-md',
              look.chosen,
            )}
          >
            <look.Icon size="82%" strokeWidth={3.5} />
          </span>
        </>
      ) : null}
    </span>
  );
}
