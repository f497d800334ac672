import { useSiteConfig } from '../../lib/site.ts';

const joinedByOr = new Intl.ListFormat('en', { type: 'disjunction' });

/** 'You confirm that you are at least 18 years old and not in Cuba.'; null where the site asks for neither. */
function confirmed(minAge: number | null, regions: readonly string[]): string | null {
  const parts = [
    ...(minAge === null ? [] : [`at least ${minAge} years old`]),
    ...(regions.length === 0 ? [] : [`not in, nor a resident of, ${joinedByOr.format(regions)}`]),
  ];
  return parts.length === 0 ? null : `You confirm that you are ${parts.join(' and ')}.`;
}

/** At each step at which a user agrees to the terms, which the server notes (R80). */
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
