import { useSiteConfig } from '../../lib/site.ts';

/** 'Cuba', 'Cuba or Iran', 'Cuba, Iran, or Syria'. */
export function joinedByOr(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' or ');
  return `${names.slice(0, -1).join(', ')}, or ${names.at(-1) ?? ''}`;
}

/** 'You confirm that you are at least 18 years old and not in Cuba.'; null where the site asks for neither. */
function confirmed(minAge: number | null, regions: readonly string[]): string | null {
  const parts = [
    ...(minAge === null ? [] : [`at least ${minAge} years old`]),
    ...(regions.length === 0 ? [] : [`not in, nor a resident of, ${joinedByOr(regions)}`]),
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
