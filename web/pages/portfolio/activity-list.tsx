import {
  ArrowUpRight,
  CircleAlert,
  EyeOff,
  type LucideIcon,
  MessageSquareText,
  ReceiptText,
  Rocket,
  Undo2,
} from 'lucide-react';
import { createElement, useState } from 'react';
import { Link } from 'wouter';
import type { Activity } from '#shared/contract/users.ts';
import { welcomePath } from '../../components/listing/insights-path.ts';
import { Digest } from '../../components/values/digest.tsx';
import { Rows } from '../../components/states/read.tsx';
import { ShowMore, Unfold } from '../../components/states/show-more.tsx';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { queries } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { useList } from '../../lib/use-list.ts';

const SHOWN = 5;

const ICONS: Array<[prefix: string, Icon: LucideIcon]> = [
  ['review_posted', MessageSquareText],
  ['withdrawal', ArrowUpRight],
  ['payment_unclaimed', CircleAlert],
  ['payment_refunded', Undo2],
  ['project_hidden', EyeOff],
  ['review_hidden', EyeOff],
  ['project', Rocket],
];
const iconOf = ({ kind }: Activity): LucideIcon =>
  ICONS.find(([prefix]) => kind.startsWith(prefix))?.[1] ?? ReceiptText;

function Line({ item }: { item: Activity }) {
  return (
    <li className="grid grid-cols-[auto_1fr_auto] gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0">
      {createElement(iconOf(item), { 'aria-hidden': true, size: 18, className: 'mt-0.75 text-link' })}
      <p className="min-w-0 break-words">{item.text}</p>
      {item.tokens === 0 ? (
        <span />
      ) : (
        <span className={item.tokens > 0 ? 'font-semibold text-text' : 'font-semibold text-text'}>
          {item.tokens > 0 ? '+' : '−'}
          {Math.abs(item.tokens).toLocaleString()}
        </span>
      )}
      <p className="col-start-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-faint">
        <RelativeTime iso={item.createdAt} />
        {item.kind === 'project_submitted' && item.projectSlug ? (
          <Link href={welcomePath(item.projectSlug)} className="text-link underline underline-offset-4">
            Link, badge, and what happens next
          </Link>
        ) : null}
        {item.digest ? <Digest digest={item.digest} /> : null}
      </p>
    </li>
  );
}

export function ActivityList({ userId }: { userId: number }) {
  const list = useList(queries.activity(userId), { noun: 'entries' });
  const { rows, more } = list;
  const [showsAll, setShowsAll] = useState(false);
  const lines = showsAll ? rows : rows?.slice(0, SHOWN);
  const hasReceipts = rows?.some((item) => item.digest !== null && item.kind.startsWith('p')) ?? false;
  return (
    <Card aria-labelledby="activity">
      <CardTitle id="activity">Activity</CardTitle>
      <Rows of={list} skeleton="h-44 w-full">
        {({ length }) =>
          length === 0 ? <p className="text-muted">Payments, reviews and withdrawals are listed here.</p> : null
        }
      </Rows>
      <ul className="divide-y divide-line">
        {lines?.map((item) => (
          <Line key={item.id} item={item} />
        ))}
      </ul>
      {showsAll ? <ShowMore more={more} noun="entries" /> : null}
      <div className="flex flex-wrap gap-2">
        {rows && rows.length > SHOWN && !showsAll ? <Unfold more={more} onClick={() => setShowsAll(true)} /> : null}
        {hasReceipts ? (
          <a href="/api/payments.csv" download className={buttonClass('ghost', 'md', 'mt-4 first:button-edge')}>
            <ReceiptText aria-hidden size={18} />
            Receipts (CSV)
          </a>
        ) : null}
      </div>
    </Card>
  );
}
