import { History, TrendingDown, TrendingUp, type LucideIcon } from 'lucide-react';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { nowBrief } from '#shared/numbers/interval.ts';
import { numberText } from '#shared/numbers/number-text.ts';
import { leadingShare } from '#shared/figures/leading-share.ts';
import { VERIFIED_BEGINS } from '#shared/figures/when-counts.ts';
import { percentTone, type Tone } from '#shared/rules.ts';
import { changedLine } from '../../components/project/changed-line.ts';
import { Evidence } from '../../components/values/evidence.tsx';
import { VoteBar } from '../../components/values/vote-bar.tsx';
import { cn } from '../../ui/class-names.ts';
import { HowWeKnow } from './how-we-know.tsx';
import type { ProjectView } from './project-view.ts';
import { useVoteState, type VoteState } from './use-vote-state.ts';

/** Steps in which the page's visitor may still vote. A user's first draw is 'loading'. */
const CAN_BE_FIRST: ReadonlySet<VoteState['step']> = new Set(['visitor', 'loading', 'open']);

const TONES: Record<Tone, string> = { green: 'text-bull', yellow: 'text-warn', red: 'text-bear' };

interface SideProps {
  label: string;
  count: number;
  Icon: LucideIcon;
  className: string;
}

function Side({ label, count, Icon, className }: SideProps) {
  return (
    <li className="flex items-center gap-2">
      <Icon aria-hidden size={20} className={className} />
      <Count of={label.toLowerCase()} count={count} className="display" />{' '}
      <span className="text-sm text-muted">{label}</span>
    </li>
  );
}

function Count({ of, count, className }: { of: string; count: number; className?: string }) {
  return (
    <data itemProp={of} value={count} className={className}>
      {numberText(count)}
    </data>
  );
}

function BeTheFirst({ project }: { project: ProjectView }) {
  if (!CAN_BE_FIRST.has(useVoteState(project).step)) return null;
  return <span className="text-sm font-semibold">Be the first: +{VOTE_REWARD_TOKENS} Snaps</span>;
}

export function VoteResult({ project }: { project: ProjectView }) {
  const { bullishCount, bearishCount, verified } = project;
  const all = { bullish: bullishCount, bearish: bearishCount };
  const lead = leadingShare(all, verified);
  const changed = changedLine(project);
  return (
    <section aria-label="Votes" className="@container grid gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        {lead ? (
          <data itemProp="share" value={`${lead.percentage}% bullish ${lead.sample}`} className="contents">
            <span
              className={cn(
                'flex flex-wrap items-baseline gap-x-2 font-semibold min-[24rem]:text-lg',
                TONES[percentTone(lead.percentage)],
              )}
            >
              <span className="display text-6xl">{lead.percentage}%</span> bullish
            </span>{' '}
            <span className="text-sm text-muted min-[24rem]:text-base">{lead.sample}</span>
          </data>
        ) : (
          <>
            <span className="display text-2xl">No votes yet</span>
            <BeTheFirst project={project} />
          </>
        )}
      </p>
      {lead ? (
        <>
          <VoteBar bullish={lead.votes.bullish} bearish={lead.votes.bearish} isThick />
          <Evidence votes={lead.votes} beside={lead.brief} now={nowBrief(all, project.now)} day={project.figuresOn} />
        </>
      ) : null}
      {changed ? (
        <p data-changed className="flex gap-2 text-sm font-semibold">
          <History aria-hidden size={18} className="mt-0.5 shrink-0" />
          <span dir="auto">{changed}</span>
        </p>
      ) : null}
      <ul
        aria-label="All votes"
        className="flex flex-wrap gap-x-6 gap-y-1 @min-[22rem]:min-h-11 @min-[22rem]:items-center @min-[22rem]:pe-32"
      >
        <Side label="Bullish" count={bullishCount} Icon={TrendingUp} className="text-bull" />
        <Side label="Bearish" count={bearishCount} Icon={TrendingDown} className="text-bear" />
      </ul>
      {verified.bullish + verified.bearish === 0 ? <p className="text-sm text-muted">{VERIFIED_BEGINS}</p> : null}
      {lead ? <HowWeKnow project={project} lead={lead} /> : null}
    </section>
  );
}
