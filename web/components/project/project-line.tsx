import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { LeaderboardRow } from '#shared/contract/projects.ts';
import { paths } from '../../lib/paths.ts';
import { cn } from '../../ui/class-names.ts';
import { WHOLE_LINK } from '../../ui/whole-link.ts';
import { Name } from '../values/name.tsx';
import { RankBadge } from '../values/rank-badge.tsx';
import { ProjectImage } from './project-image.tsx';

export const LINES = '@container';
export const LINE = 'group relative grid items-center gap-x-2 border-b border-line py-1.5 sm:gap-x-3';

interface ProjectLineProps {
  project: Pick<LeaderboardRow, 'id' | 'slug' | 'name' | 'imageUrl'> &
    Partial<Pick<LeaderboardRow, 'rank' | 'bullishPercentage' | 'expired'>>;
  /** The badge on a small picture, for a column beside something else. */
  isNarrow?: boolean;
  isEager?: boolean;
  /** In percent; the bullish one where none is given. */
  share?: number;
  /** Beside the name. */
  mark?: ReactNode;
  children: ReactNode;
}

/** What the parts of a line begin with: its share as the line it stands on, rank, picture, and name, which leads to the project. */
export function ProjectLine({ project, isNarrow = false, isEager = false, mark, children, ...line }: ProjectLineProps) {
  const { rank = null, name, bullishPercentage = 0 } = project;
  const { share = bullishPercentage } = line;
  return (
    <>
      {/* The share is the line that the row stands on. A few votes are no edge of the list. */}
      {share > 0 && rank !== null ? (
        <span aria-hidden className="absolute inset-x-0 -bottom-px h-[3px] bg-line">
          <span className="absolute inset-y-0 start-0 rounded-e-full bg-bull" style={{ width: `${share}%` }} />
        </span>
      ) : null}
      {rank === null ? null : (
        <RankBadge
          rank={rank}
          ordinals={!isNarrow && rank <= 3}
          className={cn(
            isNarrow ? 'absolute start-1 top-1 h-6! min-w-6!' : 'w-7 min-w-7! px-0! max-sm:h-7! max-sm:text-xs sm:w-9',
            rank > 3 && 'display bg-transparent! text-lg!',
          )}
        />
      )}
      <ProjectImage
        src={project.imageUrl}
        name={name}
        alt=""
        width={56}
        height={75}
        eager={isEager}
        className={cn('h-[75px] w-[56px] rounded-md', project.expired && 'grayscale-75')}
      />
      <span className="grid min-w-0">
        <span className="flex min-w-0 items-center gap-2">
          <Link
            href={paths.project(project)}
            title={name}
            className={cn(
              WHOLE_LINK,
              'truncate font-semibold group-hover:text-link after:rounded-md @max-[17rem]:whitespace-normal',
            )}
          >
            <Name>{name}</Name>
          </Link>
          {mark}
        </span>
        {children}
      </span>
    </>
  );
}
