import { plural } from '#shared/numbers/plural.ts';
import { api } from '../../../lib/api.ts';
import { useSiteConfig } from '../../../lib/site.ts';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Act } from '../act.tsx';

const JOBS = [
  {
    id: 'read-now',
    title: 'Readings of balances',
    text: 'A job reads the balances of all voters twice a day. On this local chain it can be done now.',
    word: 'Read balances now',
    busy: 'Reading...',
    failed: 'Failed to read the balances',
    async call(headers: Record<string, string>) {
      const { wallets, standing, unread } = await api.readStandingNow({ headers });
      const missed = unread === 0 ? '' : `, ${unread.toLocaleString()} could not be read`;
      return `${standing.toLocaleString()} of ${plural(wallets, 'wallet')} held enough SUI${missed}`;
    },
  },
  {
    id: 'publish-now',
    title: 'Public record',
    text: 'A job publishes each day shortly after midnight UTC. On this local chain it can be done now.',
    word: 'Publish now',
    busy: 'Publishing...',
    failed: 'Failed to publish the record',
    async call(headers: Record<string, string>) {
      const { size } = await api.publishRecord({ headers });
      return `The record has ${plural(size, 'entry', 'entries')} now`;
    },
  },
];

export function JobsNow() {
  if (useSiteConfig()?.network !== 'localnet') return null;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      {JOBS.map(({ id, title, text, word, busy, failed, call }) => (
        <Card key={id} aria-labelledby={id} className="grid content-start gap-3">
          <CardTitle id={id}>{title}</CardTitle>
          <p className="text-muted">{text}</p>
          <Act
            word={word}
            variant="primary"
            className="justify-self-start"
            busy={busy}
            call={call}
            done={(description) => ({ title: 'Done', description })}
            failed={failed}
          />
        </Card>
      ))}
    </div>
  );
}
