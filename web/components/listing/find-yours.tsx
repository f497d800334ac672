import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { LISTING_DAYS, SUBMIT_FEE_MIST } from '#shared/constants.ts';
import { isClaimable } from '#shared/listings/ownership.ts';
import { formatSui } from '#shared/money/money.ts';
import { SEARCH_MAX_CHARS } from '#shared/text/search.ts';
import { api } from '../../lib/api.ts';
import { fetchRows } from '../../lib/fetch-page.ts';
import { paths } from '../../lib/paths.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Field, Input } from '../../ui/field.tsx';
import { claimPath } from './claim-path.ts';

const SHOWN = 4;

async function findListings(text: string, signal: AbortSignal) {
  if (/^0x/i.test(text)) return api.findListed({ query: { coin: text, package: text }, signal });
  const { rows } = await fetchRows('searchProjects', {
    query: { search: text.slice(0, SEARCH_MAX_CHARS), limit: SHOWN },
    signal,
  });
  return rows.map(({ slug, name, listing }) => ({ slug, name, isClaimable: isClaimable(listing) }));
}

function Found({ text }: { text: string }) {
  const { data, error } = useQuery({
    queryKey: ['searchProjects', 'yours', text],
    queryFn: ({ signal }) => findListings(text, signal),
    enabled: text !== '',
    placeholderData: (previous) => previous,
  });
  if (text === '') return null;
  if (!data) return error ? <p className="text-sm text-text">The search failed. Please try again.</p> : null;
  if (data.length === 0) return <p className="text-muted">No listing has this name, coin or package.</p>;
  return (
    <ul className="grid divide-y divide-line">
      {data.map(({ slug, name, ...listing }) => (
        <li key={slug} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
          <Link
            dir="auto"
            href={paths.project({ id: 0, slug })}
            className="min-w-0 font-semibold underline-offset-4 wrap-anywhere hover:underline"
          >
            {name}
          </Link>
          {listing.isClaimable ? (
            <ButtonLink href={claimPath(slug)} variant="secondary">
              This is mine
            </ButtonLink>
          ) : (
            <span className="text-sm text-text">Ownership proven</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The door for teams: finds their listing by its name, coin or package, with the button that claims it (R72). */
export function FindYours({ className }: { className?: string }) {
  const [text, setText] = useState('');
  const settled = useSettled(text.trim());
  return (
    <section aria-labelledby="yours" className={cn('panel grid gap-x-10 gap-y-5 p-6 md:grid-cols-2 md:p-8', className)}>
      <div className="grid content-start gap-2">
        <h2 id="yours" className="text-2xl">
          Is your project here?
        </h2>
        <p className="text-muted">
          The wallet that holds its coin or package claims it, free. Not here yet?{' '}
          <Link href={paths['submit-project']} className="text-link underline underline-offset-4">
            List it for {formatSui(SUBMIT_FEE_MIST)} SUI
          </Link>{' '}
          and every voter sees it for {LISTING_DAYS} days.
        </p>
      </div>
      <div className="grid content-start gap-3">
        <Field label="Name, coin or package">
          {(control) => (
            <Input
              {...control}
              type="search"
              autoComplete="off"
              maxLength={1_000}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <output>
          <Found text={settled} />
        </output>
      </div>
    </section>
  );
}
