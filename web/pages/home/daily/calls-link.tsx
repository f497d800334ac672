import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { callsText } from '#shared/figures/calls.ts';
import { paths } from '../../../lib/paths.ts';
import { CALLS_HASH, callsQuery } from '../../../voting/calls-query.ts';

export function CallsLink({ userId }: { userId: number }) {
  const { data } = useQuery({ ...callsQuery(userId), refetchOnMount: 'always' });
  const text = data && data.moved > 0 ? callsText(data).replace(/^T/, ': t') : '';
  return (
    <Link
      href={`${paths.portfolio}${CALLS_HASH}`}
      className="inline-flex min-h-11 items-center text-sm text-link underline underline-offset-4"
    >
      Your calls{text}
    </Link>
  );
}
