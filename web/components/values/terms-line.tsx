import { useSiteConfig } from '../../lib/site.ts';

const joinedByOr = new Intl.ListFormat('en', { type: 'disjunction' });

function confirmed(minAge: number | null, regions: readonly string[]): string | null {
  const parts = [
    ...(minAge === null ? [] : [`at least ${minAge} years old`]),
    ...(regions.length === 0 ? [] : [`not in, nor a resident of, ${joinedByOr.format(regions)}`]),
  ];
  return parts.length === 0 ? null : `You confirm that you are ${parts.join(' and ')}.`;
}

export function TermsLine({ doing }: { doing: 'signing in' | 'paying' }) {
  const site = useSiteConfig();
  const confirmation = site && confirmed(site.minAge, site.excludedRegions);
  return (
    <>
      By {doing} you agree to the{' '}
      <a href="/terms" target="_blank" className="text-link underline underline-offset-4">
        terms<span className="sr-only"> (opens in a new tab)</span>
      </a>
      .{confirmation ? ` ${confirmation}` : null}
    </>
  );
}
