import { ArrowRight, Eye, type LucideIcon, MousePointerClick, Share2, Vote } from 'lucide-react';
import { type Totals, totalsOf } from '#shared/figures/insights.ts';
import { cn } from '../../ui/class-names.ts';
import { changeText, rateText, type Shown } from './range.ts';

interface Step {
  key: keyof Totals;
  label: string;
  Icon: LucideIcon;
  bar: string;
}

const STEPS: readonly Step[] = [
  { key: 'views', label: 'Views', Icon: Eye, bar: 'bg-accent' },
  { key: 'votes', label: 'Votes', Icon: Vote, bar: 'bg-bull' },
  { key: 'clicks', label: 'Link clicks', Icon: MousePointerClick, bar: 'bg-gold' },
  { key: 'shares', label: 'Shares', Icon: Share2, bar: 'bg-line-strong' },
];

function Change({ now, before }: { now: number; before: number | undefined }) {
  if (before === undefined) return null;
  const text = changeText(now, before);
  return (
    <span
      className={cn('text-sm font-semibold', now > before ? 'text-bull' : now < before ? 'text-bear' : 'text-muted')}
    >
      {text} <span className="font-normal text-faint">vs. before</span>
    </span>
  );
}

export function Funnel({ days, before }: Shown) {
  const totals = totalsOf(days);
  const earlier = before && totalsOf(before);
  const most = Math.max(1, ...Object.values(totals));
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {STEPS.map(({ key, label, Icon, bar }, i) => (
        <div key={key} className="relative grid content-start gap-1 rounded-xl border border-line bg-raised p-4">
          <dt className="flex items-center gap-2 font-semibold text-muted">
            <Icon aria-hidden size={18} />
            {label}
            {i > 0 && i < 3 ? <ArrowRight aria-hidden size={16} className="ms-auto text-faint" /> : null}
          </dt>
          <dd className="display text-4xl">{totals[key].toLocaleString()}</dd>
          <dd aria-hidden className="my-1 h-2 overflow-hidden rounded-full bg-overlay">
            <span
              className={cn('block h-full rounded-full', bar)}
              style={{ width: `${(totals[key] * 100) / most}%` }}
            />
          </dd>
          <dd className="flex flex-wrap justify-between gap-x-3 text-sm text-muted">
            {i === 0 ? <span>All sources</span> : null}
            {i > 0 && totals.views > 0 ? <span>{rateText(totals[key], totals.views)} of views</span> : null}
            <Change now={totals[key]} before={earlier?.[key]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
