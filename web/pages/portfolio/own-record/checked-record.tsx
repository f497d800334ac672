import {
  Anchor,
  BadgeCheck,
  Coins,
  ExternalLink,
  Eye,
  Hourglass,
  type LucideIcon,
  Send,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { dayText } from '#shared/text/day-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { external, safeLink } from '../../../lib/paths.ts';
import { useSiteConfig } from '../../../lib/site.ts';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import type { AnchorFinding, OwnRecordReport } from './check-own-record.ts';
import { CheckedVotes } from './checked-votes.tsx';
import {
  anchorText,
  balanceText,
  balanceTone,
  payoutsText,
  payoutsTone,
  type Tone,
  toneOf,
  unknownText,
} from './words.ts';

const ICONS: Record<Tone, { Icon: LucideIcon; className: string }> = {
  good: { Icon: BadgeCheck, className: 'text-text' },
  waiting: { Icon: Hourglass, className: 'text-text' },
  bad: { Icon: TriangleAlert, className: 'text-text' },
};

function Line({ tone, icon, children }: { tone: Tone; icon?: LucideIcon; children: ReactNode }) {
  const { Icon: Default, className } = ICONS[tone];
  const Icon = tone === 'good' ? (icon ?? Default) : Default;
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden size={20} className={cn('mt-0.5 shrink-0', className)} />
      <span className="min-w-0">{children}</span>
    </li>
  );
}

const ANCHOR_TONES: Record<AnchorFinding['kind'], Tone> = {
  anchored: 'good',
  unsigned: 'waiting',
  waiting: 'waiting',
  contradicted: 'bad',
  denied: 'bad',
  unknown: 'waiting',
};

function AnchorLine({ anchor }: { anchor: AnchorFinding }) {
  const explorer = safeLink(useSiteConfig()?.explorerUrl);
  const address = 'address' in anchor ? anchor.address : null;
  const short = address && `${address.slice(0, 10)}…${address.slice(-6)}`;
  return (
    <Line tone={ANCHOR_TONES[anchor.kind]} icon={Anchor}>
      {anchorText(anchor)}{' '}
      {address && explorer ? (
        <a
          href={`${explorer.replace(/\/+$/, '')}/account/${address}`}
          {...external}
          className="inline-flex items-center gap-1 text-link underline underline-offset-4"
        >
          <code className="font-mono text-sm">{short}</code>
          <ExternalLink aria-hidden size={14} className="shrink-0" />
          <span className="sr-only">View the address in the explorer</span>
        </a>
      ) : null}
      {address && !explorer ? (
        <code title={address} className="font-mono text-sm text-muted">
          {short}
        </code>
      ) : null}
    </Line>
  );
}

function Absence({ unknown, searchedFrom }: Pick<OwnRecordReport, 'unknown' | 'searchedFrom'>) {
  if (unknown.length > 0) {
    return unknown.map((vote) => (
      <Line key={vote.index} tone="bad">
        {unknownText(vote)}
      </Line>
    ));
  }
  const since = searchedFrom === null ? '' : ` since ${dayText(searchedFrom)}`;
  return <Line tone="good">Nobody else voted in your name: we checked every vote of the record{since}.</Line>;
}

function Cosigned({ cosigned, witnesses }: Pick<OwnRecordReport, 'cosigned' | 'witnesses'>) {
  if (witnesses === 0) return null;
  const names = cosigned.length > 0 ? `: ${cosigned.join(', ')}` : '';
  return (
    <Line tone={cosigned.length > 0 ? 'good' : 'waiting'} icon={Eye}>
      {cosigned.length} of {plural(witnesses, 'witness', 'witnesses')} cosigned this record{names}.
    </Line>
  );
}

function Votes({ votes }: Pick<OwnRecordReport, 'votes'>) {
  const count = (tone: Tone) => votes.filter(({ finding }) => toneOf(finding) === tone).length;
  const [good, waiting, bad] = [count('good'), count('waiting'), count('bad')];
  return (
    <>
      {bad > 0 ? <Line tone="bad">{plural(bad, 'vote does', 'votes do')} not match the record.</Line> : null}
      {good > 0 ? (
        <Line tone="good">{plural(good, 'vote is', 'votes are')} in the record, exactly as cast.</Line>
      ) : null}
      {votes.length === 0 ? <Line tone="waiting">You have not voted yet.</Line> : null}
      {waiting > 0 ? (
        <Line tone="waiting">{plural(waiting, 'vote enters', 'votes enter')} the public record after 00:00 UTC.</Line>
      ) : null}
    </>
  );
}

export function CheckedRecord({ record, onRetry }: { record: OwnRecordReport; onRetry: () => void }) {
  const { votes, anchor, balance, unknown, searchedFrom } = record;
  const paid = payoutsText(balance);
  return (
    <div className="grid gap-5">
      <ul className="grid gap-2">
        <Votes votes={votes} />
        <AnchorLine anchor={anchor} />
        <Absence unknown={unknown} searchedFrom={searchedFrom} />
        <Line tone={balanceTone(balance)} icon={Coins}>
          {balanceText(balance)}
        </Line>
        {paid === null ? null : (
          <Line tone={payoutsTone(balance)} icon={Send}>
            {paid}
          </Line>
        )}
        <Cosigned {...record} />
      </ul>
      <CheckedVotes votes={votes} anchor={anchor} />
      <Button variant="secondary" className="justify-self-start" onClick={onRetry}>
        Check again
      </Button>
    </div>
  );
}
