import { Link } from 'wouter';
import type { VoteHistoryItem } from '#shared/contract/users.ts';
import { CHANGE_HASH, paths } from '../../lib/paths.ts';
import { useIsPast } from '../../lib/use-is-past.ts';

export function ChangeLink({ vote: { project, changeableFrom } }: { vote: VoteHistoryItem }) {
  const isChangeable = useIsPast(changeableFrom);
  if (!isChangeable) return null;
  return (
    <Link
      href={`${paths.project(project)}${CHANGE_HASH}`}
      aria-label={`Change your vote on ${project.name}`}
      className="-my-3 inline-block py-3 font-semibold text-link underline-offset-4 hover:underline"
    >
      Change
    </Link>
  );
}
