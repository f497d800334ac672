import { Link } from 'wouter';
import { dayText } from '#shared/text/day-text.ts';
import { SOURCE_TEXT, lookAlikeText } from '#shared/listings/listing-source.ts';
import { WITHHELD_TEXT } from '#shared/listings/withheld-text.ts';
import { ownershipText } from '#shared/listings/ownership.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { useAddressName } from '../../components/session/use-address-name.ts';
import { paths } from '../../lib/paths.ts';
import type { ProjectView } from './project-view.ts';

export function ListedBy({ project }: { project: ProjectView }) {
  const { submittedBy, listing } = project;
  const name = useAddressName(submittedBy || null);
  const { source, since, ownership, subject, ownershipSince, lookAlike } = listing;
  const isCertain = ownership === 'proven' || ownership === 'accepted';
  return (
    <p data-listing className="text-sm text-muted wrap-anywhere">
      {SOURCE_TEXT[source]}
      {source === 'catalogue' ? null : (
        <>
          {' '}
          by{' '}
          <span title={submittedBy || undefined}>{name ?? (shortenAddress(submittedBy) || 'a deleted account')}</span>
        </>
      )}{' '}
      since {dayText(since)} ·{' '}
      <span
        title={[subject, ownershipSince && `Since ${dayText(ownershipSince)}`].filter(Boolean).join(' · ') || undefined}
        className={isCertain ? 'font-semibold text-text' : ownership === 'lost' ? 'font-semibold text-text' : undefined}
      >
        {ownershipText(listing)}
      </span>
      {listing.takenOverAt ? ` · Taken over on ${dayText(listing.takenOverAt)}` : null}
      {listing.claim ? ` · Claimed by a wallet that holds its coin, since ${dayText(listing.claim.since)}` : null}
      {lookAlike ? (
        <>
          {' '}
          ·{' '}
          <Link href={paths.project({ id: 0, slug: lookAlike.slug })} className="font-semibold text-text underline">
            {lookAlikeText(lookAlike)}
          </Link>
          <span className="text-text">. {WITHHELD_TEXT}</span>
        </>
      ) : null}
    </p>
  );
}
