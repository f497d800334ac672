import { useQuery } from '@tanstack/react-query';
import { Wallet } from 'lucide-react';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { adminQueries } from '../admin-queries.ts';
import { PayBar } from './pay-bar.tsx';

/** The approved withdrawals, whatever the queue below shows; nothing when there are none. */
export function ReadyToPay() {
  const { data } = useQuery(adminQueries.ready());
  if (!data || data.rows.length === 0) return null;
  return (
    <Card aria-labelledby="ready">
      <CardTitle id="ready" icon={<Wallet aria-hidden size={20} className="text-link" />}>
        Ready to pay
      </CardTitle>
      <PayBar key={data.rows.map(({ id }) => id).join()} withdrawals={data.rows} total={data.total} />
    </Card>
  );
}
