import { ScrollText, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { loadable } from '../../lib/loadable.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const panel = loadable(async () => (await import('./own-record/own-record-panel.tsx')).OwnRecordPanel);

/** The user's own proof: this browser looks the votes up in the public record (R42). Its code comes when it is asked for. */
export function CheckMyVotes({ userId }: { userId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card aria-labelledby="check-my-votes">
      <CardTitle id="check-my-votes" icon={<ScrollText aria-hidden size={20} className="text-link" />}>
        Your votes in the public record
      </CardTitle>
      {isOpen ? (
        <OnDemand name="The check" onRetry={panel.retry} loading={<Skeleton className="h-24 w-full" />}>
          <panel.Part userId={userId} />
        </OnDemand>
      ) : (
        <div className="grid gap-4">
          <p className="max-w-prose text-muted">
            Once a day all votes are published in a record that nobody can change afterwards. Your browser finds yours
            in it, does the arithmetic by itself, and asks the Sui chain, so you do not have to take our word for it.
          </p>
          <Button className="justify-self-start" onClick={() => setOpen(true)}>
            <ShieldCheck aria-hidden size={18} />
            Check my votes
          </Button>
        </div>
      )}
    </Card>
  );
}
