import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { useLiveUser } from '../../lib/session.ts';
import { cn } from '../../ui/class-names.ts';
import { type Followable, follow, followsQuery } from './follows.ts';

interface FollowStarProps {
  project: Followable;
  className?: string;
}

/** Follows a project and ends it (R91). */
export function FollowStar({ project, className }: FollowStarProps) {
  const user = useLiveUser();
  const { data: isFollowed = false } = useQuery({
    ...followsQuery(user?.id ?? 0),
    enabled: user !== null,
    // Each card that comes would ask a server again that does not answer.
    retryOnMount: false,
    select: ({ projects }) => projects.some(({ id }) => id === project.id),
  });
  return (
    <button
      type="button"
      aria-pressed={isFollowed}
      // One name in both states: the state is said by aria-pressed.
      aria-label={`Follow ${project.name}`}
      title={isFollowed ? 'You follow this project' : 'Follow this project'}
      onClick={() => void follow(project, !isFollowed)}
      className={cn(
        'grid size-11 shrink-0 place-items-center rounded-full transition-colors hover:bg-overlay',
        isFollowed ? 'text-link' : 'text-muted hover:text-text',
        className,
      )}
    >
      <Star aria-hidden size={20} fill={isFollowed ? 'currentColor' : 'none'} />
    </button>
  );
}
