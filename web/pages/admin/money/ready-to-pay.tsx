import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '#shared/numbers/plural.ts';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Button } from '../../../ui/button.tsx';
import { adminQueries } from '../admin-queries.ts';
import { PayBar } from './pay-bar.tsx';

function Others({ count, areShown, onToggle }: { count: string; areShown: boolean; onToggle: () => void }) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-muted">
        {areShown
          ? `${count} of unverified wallets: tick those to pay too.`
          : `${count} of unverified wallets left out.`}
      </p>
      <Button variant="secondary" aria-pressed={areShown} onClick={onToggle}>
        {areShown ? 'Leave them out' : 'Include unverified wallets'}
      </Button>
    </div>
  );
}

export function ReadyToPay() {
  const [hasOthers, setHasOthers] = useState(false);
  const { data: all } = useQuery(adminQueries.ready());
  const { data: standing } = useQuery(adminQueries.ready('standing'));
  if (!all || !standing || all.rows.length === 0) return null;
  const others = all.total === null || standing.total === null ? null : all.total - standing.total;
  const shown = hasOthers ? all : standing;
  return (
    <Card aria-labelledby="ready">
      <CardTitle id="ready">Ready to pay</CardTitle>
      {shown.rows.length === 0 ? null : (
        <PayBar key={shown.rows.map(({ id }) => id).join()} withdrawals={shown.rows} total={shown.total} />
      )}
      {others === 0 ? null : (
        <Others
          count={others === null ? 'Further withdrawals' : plural(others, 'withdrawal')}
          areShown={hasOthers}
          onToggle={() => setHasOthers((had) => !had)}
        />
      )}
    </Card>
  );
}
