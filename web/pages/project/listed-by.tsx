import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { dayText } from '#shared/day-text.ts';
import { SOURCE_TEXT } from '#shared/listing-source.ts';
import { lookAlikeText, ownershipText } from '#shared/ownership.ts';
import { shortenAddress } from '#shared/text.ts';
import { paths } from '../../lib/paths.ts';
import { useStore } from '../../lib/external-store.ts';
import { walletCode } from '../../wallet-gate.ts';
import type { ProjectView } from './project-view.ts';

/** The name-service name of an address, where the wallet code is loaded for another reason; else null. */
function useKnownName(address: string): string | null {
  const wallet = useStore(walletCode);
  const [found, setFound] = useState<{ address: string; name: string | null } | null>(null);
  useEffect(() => {
    if (typeof wallet !== 'object' || address === '') return undefined;
    let isCurrent = true;
    void wallet.addressName(address).then((name) => isCurrent && setFound({ address, name }));
    return () => {
      isCurrent = false;
    };
  }, [wallet, address]);
  return found?.address === address ? found.name : null;
}

/** 'Paid listing by 0x1234...cdef since 3 Nov 2026 · Ownership proven' (R70). */
export function ListedBy({ project }: { project: ProjectView }) {
  const { submittedBy, listing } = project;
  const name = useKnownName(submittedBy);
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
        className={isCertain ? 'font-semibold text-bull' : ownership === 'lost' ? 'font-semibold text-warn' : undefined}
      >
        {ownershipText(listing)}
      </span>
      {lookAlike ? (
        <>
          {' '}
          ·{' '}
          <Link href={paths.project({ id: 0, slug: lookAlike.slug })} className="font-semibold text-warn underline">
            {lookAlikeText(lookAlike)}
          </Link>
          <span className="text-warn"> (not reviewed yet)</span>
        </>
      ) : null}
    </p>
  );
}
