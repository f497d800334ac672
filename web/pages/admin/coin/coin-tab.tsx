import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, Copy } from 'lucide-react';
import { useState } from 'react';
import type { CoinPublication, SnapsCoin } from '#shared/contract/coin.ts';
import { plural } from '#shared/plural.ts';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { copyText } from '../../../lib/copy-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { adminQueries } from '../admin-queries.ts';
import { CoinForm } from './coin-form.tsx';

function Setting({ coinType }: { coinType: string }) {
  const setting = `SNAPS_COIN_TYPE=${coinType}`;
  return (
    <>
      <Field label="Setting of the server">
        {(control) => (
          <div className="grid grid-cols-1 items-start gap-2 sm:grid-cols-[1fr_auto]">
            <Textarea
              {...control}
              readOnly
              rows={2}
              className="field-sizing-content resize-none font-mono text-sm break-all"
              value={setting}
              onFocus={(event) => event.currentTarget.select()}
            />
            <Button variant="secondary" className="justify-self-start px-4" onClick={() => void copyText(setting)}>
              <Copy aria-hidden size={18} />
              Copy
            </Button>
          </div>
        )}
      </Field>
      <p className="text-sm text-muted">
        Put it in <code className="font-mono">.env</code>, restart the server, and run{' '}
        <code className="font-mono">npm run doctor</code>. Then withdrawals are paid in this coin.
      </p>
    </>
  );
}

const LOOKS = { sent: ['On its way', 'accent'], made: ['Made', 'bull'], failed: ['Not made', 'bear'] } as const;

function Made({ publication, onAgain }: { publication: CoinPublication; onAgain: () => void }) {
  const { state, name, symbol, decimals, firstSupply, coinType, digest, note, createdAt } = publication;
  const [label, tone] = LOOKS[state];
  return (
    <Card aria-labelledby="made-coin">
      <CardTitle
        id="made-coin"
        icon={<BadgeCheck aria-hidden size={20} className="text-link" />}
        aside={<Badge tone={tone}>{label}</Badge>}
      >
        {name} ({symbol})
      </CardTitle>
      <div className="grid grid-cols-1 gap-4">
        <p className="flex flex-wrap gap-x-3 text-muted">
          <span>
            {plural(firstSupply, 'Snap')} at first, {plural(decimals, 'decimal')}, signed{' '}
            <RelativeTime iso={createdAt} />
          </span>
          <Digest digest={digest} />
        </p>
        {note ? <p className="text-sm text-warn">{note}</p> : null}
        {state === 'sent' ? (
          <p className="text-sm text-muted">The chain has not answered yet. The server looks again by itself.</p>
        ) : null}
        {coinType ? <Setting coinType={coinType} /> : null}
        {state === 'made' ? (
          <Button variant="ghost" className="-mx-3 justify-self-start px-3" onClick={onAgain}>
            Make another coin instead
          </Button>
        ) : null}
      </div>
    </Card>
  );
}

function Coin({ coin: { decimals, publication } }: { coin: SnapsCoin }) {
  const [replaced, setReplaced] = useState<string | null>(null);
  const isReplacing = publication !== null && publication.digest === replaced;
  const isOpen = publication === null || publication.state === 'failed' || isReplacing;
  return (
    <>
      {publication ? <Made publication={publication} onAgain={() => setReplaced(publication.digest)} /> : null}
      {isOpen ? <CoinForm key={publication?.digest ?? ''} decimals={decimals} replaces={replaced} /> : null}
    </>
  );
}

export function CoinTab() {
  const { data, error, refetch, isFetching } = useQuery(adminQueries.coin());
  return (
    <div className="grid grid-cols-1 gap-6">
      {data ? <Coin coin={data} /> : null}
      {!data && error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      {!data && !error ? <Skeleton className="h-44 w-full" /> : null}
    </div>
  );
}
