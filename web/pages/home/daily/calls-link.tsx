import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { CALLS_HASH, callsText } from '#shared/figures/calls.ts';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../lib/queries.ts';

export function CallsLink({ userId }: { userId: number }) {
  const { data } = useQuery(queries.calls(userId));
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
