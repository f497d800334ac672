import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { BadgeCheck, Download, Hourglass, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { paths } from '../../../lib/paths.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import type { AnchorFinding, CheckedVote } from './check-own-record.ts';
import { findingText, type Tone, toneOf } from './words.ts';

const STEP = 5;
const MORE = 50;

const MARKS: Record<Tone, { Icon: LucideIcon; className: string }> = {
  good: { Icon: BadgeCheck, className: 'text-text' },
  waiting: { Icon: Hourglass, className: 'text-faint' },
  bad: { Icon: TriangleAlert, className: 'text-text' },
};
const RANKS: Record<Tone, number> = { bad: 0, good: 1, waiting: 1 };

function Row({ checked: { vote, finding }, anchor }: { checked: CheckedVote; anchor: AnchorFinding }) {
  const tone = toneOf(finding);
  const { Icon, className } = MARKS[tone];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 py-2">
      <Icon aria-hidden size={20} className={className} />
      <div className="min-w-0">
        <p className="truncate">
          <Link href={paths.project(vote.project)} className="font-semibold underline-offset-4 hover:underline">
            <Name>{vote.project.name}</Name>
          </Link>
          <span className="text-faint"> · {vote.voteType === 'bullish' ? 'Bullish' : 'Bearish'}</span>
        </p>
        <p className={tone === 'bad' ? 'text-sm font-semibold text-text' : 'text-sm text-muted'}>
          {findingText(finding, vote, anchor)}
        </p>
      </div>
      {finding.kind === 'recorded' ? (
        <IconButton
          label={`Download proof of your vote on ${isolated(vote.project.name)}`}
          onClick={() => saveFile(`snapswipe-${vote.project.slug}.tlog-proof`, new Blob([finding.proofFile]))}
        >
          <Download aria-hidden size={18} />
        </IconButton>
      ) : null}
    </li>
  );
}

export function CheckedVotes({ votes, anchor }: { votes: CheckedVote[]; anchor: AnchorFinding }) {
  const [shown, setShown] = useState(STEP);
  // Votes that are newer than the record are counted in one line above.
  const published = votes.filter(({ finding }) => finding.kind !== 'waiting');
  const sorted = published.toSorted((one, other) => RANKS[toneOf(one.finding)] - RANKS[toneOf(other.finding)]);
  const rest = published.length - shown;
  if (published.length === 0) return null;
  return (
    <div>
      <ul className="divide-y divide-line" aria-label="Your votes in the record">
        {sorted.slice(0, shown).map((checked) => (
          <Row key={`${checked.vote.id}-${checked.vote.period}`} checked={checked} anchor={anchor} />
        ))}
      </ul>
      {rest > 0 ? (
        <Button variant="ghost" className="button-edge mt-2" onClick={() => setShown(shown + MORE)}>
          Show {Math.min(rest, MORE).toLocaleString()} more of {published.length.toLocaleString()}
        </Button>
      ) : null}
    </div>
  );
}
