import { useQuery } from '@tanstack/react-query';
import { Check, MessageSquareText, Minus, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Standing } from '#shared/contract/standing.ts';
import { dayText } from '#shared/text/day-text.ts';
import { Loaded } from '../../components/states/read.tsx';
import { VoterStateBadge } from '../../components/values/voter-state.tsx';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { cn } from '../../ui/class-names.ts';
import { AppealDialog } from './appeal-dialog.tsx';
import { OwnAppeal } from './own-appeal.tsx';
import { standingText } from './standing-text.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const RESULTS = {
  held: { text: 'held enough', Icon: Check, className: 'border-text bg-text text-bg' },
  not_held: { text: 'held too little', Icon: X, className: 'border-line-strong bg-raised text-text' },
  unread: { text: 'not read', Icon: Minus, className: 'border-dashed border-line-strong text-faint' },
};

/** The last days that the site read: six of seven decide on a Sunday (R38). */
function SevenDays({ standing: { days } }: { standing: Standing }) {
  if (days.length === 0) return null;
  return (
    <ol aria-label="The last days checked" className="flex max-w-72 justify-between py-1">
      {days.map(({ day, result }) => {
        const { text, Icon, className } = RESULTS[result];
        const weekday = WEEKDAYS[new Date(day).getUTCDay()] ?? '';
        return (
          <li key={day} className="grid justify-items-center gap-0.5 text-xs text-muted">
            <span aria-hidden className={cn('grid size-8 place-items-center rounded-full border', className)}>
              <Icon size={16} />
            </span>
            <span aria-hidden>{weekday}</span>
            <span className="sr-only">
              {weekday} {dayText(day)}: {text}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Content({ standing, userId }: { standing: Standing; userId: number }) {
  const [isAppealing, setAppealing] = useState(false);
  const { title, change, counts } = standingText(standing, serverNow());
  const { appeal, votes } = standing;
  const isOpen = appeal !== null && appeal.answer === null;
  return (
    <div className="grid gap-4">
      <div className="grid gap-1">
        <p className="text-lg font-semibold">{title}</p>
        <SevenDays standing={standing} />
        <p className="text-muted">
          {change}{' '}
          <Link href={paths.trust} className="text-link underline underline-offset-4">
            How votes are checked
          </Link>
        </p>
        {counts === null ? null : <p className="font-semibold">{counts}</p>}
      </div>
      {appeal ? <OwnAppeal appeal={appeal} waiting="Not answered yet. You can write again after the answer." /> : null}
      {isOpen || votes.excluded === 0 ? null : (
        <Button variant="secondary" className="justify-self-start" onClick={() => setAppealing(true)}>
          <MessageSquareText aria-hidden size={18} />
          Appeal
        </Button>
      )}
      {isAppealing ? (
        <AppealDialog
          description="Tell us why your votes should count. A person reads it and answers."
          queryKey={queries.standing(userId).queryKey}
          onClose={() => setAppealing(false)}
        />
      ) : null}
    </div>
  );
}

export function OwnStanding({ userId }: { userId: number }) {
  const read = useQuery({ ...queries.standing(userId), refetchOnMount: 'always' });
  return (
    <Card aria-labelledby="standing">
      <CardTitle id="standing" aside={read.data ? <VoterStateBadge state={read.data.state} /> : null}>
        Are your votes verified?
      </CardTitle>
      <Loaded of={read} skeleton="h-44 w-full">
        {(standing) => <Content standing={standing} userId={userId} />}
      </Loaded>
    </Card>
  );
}
