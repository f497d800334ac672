import { useQuery } from '@tanstack/react-query';
import { dayText } from '#shared/day-text.ts';
import { plural } from '#shared/plural.ts';
import { reasonsText, sharesOfReasons } from '#shared/reasons.ts';
import { queries } from '../../lib/queries.ts';
import { useSessionUser } from '../../lib/session.ts';
import { cn } from '../../ui/class-names.ts';
import type { ProjectView } from './project-view.ts';

/** Blind until the user's vote is final (R89): a reason that others gave is easily taken for one's own. */
function useIsBlind(projectId: number): boolean {
  const user = useSessionUser();
  const { data: own } = useQuery({ ...queries.ownVote(user?.id ?? 0, projectId), enabled: false });
  return user !== null && own !== undefined && own.result === null && ['yes', 'voted'].includes(own.canVote);
}

/** Why others voted as they did, verified voters first, as the record of that day has it. */
export function ReasonLines({ project }: { project: ProjectView }) {
  const isBlind = useIsBlind(project.id);
  if (project.reasons.length === 0) return null;
  if (isBlind) return <p className="text-sm text-muted">Why others voted as they did is shown after your own vote.</p>;
  return (
    <ul aria-label="Why" className="grid gap-3 border-t border-line pt-4">
      {project.reasons.map((figures) => (
        <li key={`${figures.group} ${figures.direction}`} className="grid gap-1">
          <p className={cn(figures.group === 'verified' ? 'font-semibold' : 'text-sm text-muted')}>
            {reasonsText(figures)}
          </p>
          <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-raised">
            {sharesOfReasons(figures).map(({ reason, percentage }, at) => (
              <span
                key={reason}
                className={figures.direction === 'bullish' ? 'bg-bull' : 'bg-bear'}
                style={{ flexGrow: percentage, opacity: Math.max(0.25, 1 - at * 0.25) }}
              />
            ))}
          </div>
          <p className="text-xs text-muted">
            Of {plural(figures.voters, figures.group === 'verified' ? 'verified voter' : 'other voter')} who said why,{' '}
            {dayText(figures.day)}
          </p>
        </li>
      ))}
    </ul>
  );
}
