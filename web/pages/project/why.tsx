import { Link } from 'wouter';
import type { ReasonFigures } from '#shared/contract/types.ts';
import { REASONS_EACH } from '#shared/voting/reasons.ts';
import { ReasonShares } from '../../components/values/reason-shares.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { paths } from '../../lib/paths.ts';
import { cn } from '../../ui/class-names.ts';
import { useUndoable } from '../../voting/reveal.tsx';
import type { ProjectView } from './project-view.ts';
import { useVoteState, type VoteState } from './use-vote-state.ts';

const LINK = 'text-link underline underline-offset-4';

/** Steps in which the page's visitor has a vote to cast or to finish, which reasons of others must not guide. */
const BLIND: ReadonlySet<VoteState['step']> = new Set(['guest', 'sending', 'loading', 'failed', 'open', 'ended']);

function useIsBlind(project: ProjectView): boolean {
  const state = useVoteState(project);
  const undoable = useUndoable();
  if (state.step !== 'voted') return BLIND.has(state.step);
  return state.result === null || (undoable !== null && undoable.id === state.undo?.id);
}

function Groups({ reasons }: { reasons: readonly ReasonFigures[] }) {
  return (
    <div className={cn('grid gap-5', reasons.length > 1 && 'sm:grid-cols-2')}>
      {reasons.map((figures) => (
        <ReasonShares key={`${figures.group} ${figures.direction}`} figures={figures} />
      ))}
    </div>
  );
}

/** Why others voted as they did (R89). A voter sees it once their own vote is final. */
export function Why({ project }: { project: ProjectView }) {
  const isBlind = useIsBlind(project);
  const { reasons } = project;
  if (isBlind || reasons.length === 0) return null;
  const verified = reasons.filter(({ group }) => group === 'verified');
  const others = reasons.filter(({ group }) => group === 'others');
  return (
    <Card aria-labelledby="why">
      <CardTitle id="why">Why</CardTitle>
      <Groups reasons={verified.length > 0 ? verified : others} />
      {verified.length > 0 && others.length > 0 ? (
        <details className="text-sm">
          <summary className={`inline-flex min-h-11 items-center font-semibold ${LINK}`}>Other voters</summary>
          <Groups reasons={others} />
        </details>
      ) : null}
      <p className="pt-2 text-sm text-muted">
        Up to {REASONS_EACH} reasons each.{' '}
        <Link href={paths.trust} className={LINK}>
          These totals are in the record
        </Link>
      </p>
    </Card>
  );
}
