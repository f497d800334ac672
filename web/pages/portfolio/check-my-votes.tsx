import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { loadable } from '../../lib/loadable.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const panel = loadable(async () => (await import('./own-record/own-record-panel.tsx')).OwnRecordPanel);

export function CheckMyVotes({ userId }: { userId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card aria-labelledby="check-my-votes">
      <CardTitle id="check-my-votes">Your votes in the public record</CardTitle>
      {isOpen ? (
        <OnDemand name="The check" onRetry={panel.retry} loading={<Skeleton className="h-24 w-full" />}>
          <panel.Part userId={userId} />
        </OnDemand>
      ) : (
        <div className="grid gap-4">
          <p className="max-w-prose text-muted">
            Your browser finds your votes in the public record and checks them against Sui.
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
