import { Info } from 'lucide-react';
import { Card, CardTitle } from '../../ui/card.tsx';

const LIMITS = [
  'A person with much SUI can still have many wallets with standing. That has a price, and each project page says how high it is: the cost to change its verified share or its rank. A vote that is verified for good stays so when the SUI has left the wallet.',
  'Standing says that a wallet holds something, not that its owner is honest, or right about a project.',
  'The rhythm rule sees only what is beyond chance. A few patient accounts that vote like everyone else pass it.',
  'The record shows that nothing was changed after it was sealed. Votes of today are sealed tomorrow.',
];

/** What none of this proves. */
export function Limits() {
  return (
    <Card aria-labelledby="limits">
      <CardTitle id="limits" icon={<Info aria-hidden size={20} className="text-link" />}>
        What this does not show
      </CardTitle>
      <ul className="grid list-disc gap-2 pl-5 text-muted">
        {LIMITS.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </Card>
  );
}
