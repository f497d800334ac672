import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { CALLS_HASH, ofCallsText } from '#shared/figures/calls.ts';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../lib/queries.ts';

export function CallsLink({ userId }: { userId: number }) {
  const { data } = useQuery(queries.calls(userId));
  const text = data && data.calls > 0 ? `: ${ofCallsText(data)} with the verified majority` : '';
  return (
    <Link
      href={`${paths.portfolio}${CALLS_HASH}`}
      className="inline-flex min-h-11 items-center text-sm text-link underline underline-offset-4"
    >
      Your calls{text}
    </Link>
  );
}
