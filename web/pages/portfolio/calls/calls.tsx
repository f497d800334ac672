import { Share2, TrendingDown, TrendingUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { callsText } from '#shared/figures/calls.ts';
import type { CallSummary, VoteHistoryItem } from '#shared/contract/users.ts';
import { plural } from '#shared/numbers/plural.ts';
import { ProjectImage } from '../../../components/project/project-image.tsx';
import { Read, Rows } from '../../../components/states/read.tsx';
import { ShowMore } from '../../../components/states/show-more.tsx';
import { VoteStateBadge } from '../../../components/values/voter-state.tsx';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toast.ts';
import { useList } from '../../../lib/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ChangeLink } from '../change-link.tsx';
import { callText, MOVE_TEXT, weekText } from './call-text.ts';
import { sharePicture } from './calls-picture.ts';

function decisionText({ isDecided, daysRead, daysHeld }: VoteHistoryItem['evidence']): string | null {
  return isDecided ? `Final: held enough on ${daysHeld} of ${plural(daysRead, 'day')} read since` : null;
}

function Line({ vote }: { vote: VoteHistoryItem }) {
  const { project, call, voteType, state, detail } = vote;
  const Icon = voteType === 'bullish' ? TrendingUp : TrendingDown;
  const decision = decisionText(vote.evidence);
  return (
    <li className="flex gap-3 py-3">
      <ProjectImage
        src={project.imageUrl}
        name={project.name}
        alt=""
        width={36}
        height={48}
        className="aspect-3/4 h-12 w-9 shrink-0 self-start rounded-md"
      />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <Link
            href={paths.project(project)}
            dir="auto"
            className="max-w-full min-w-0 truncate font-semibold underline-offset-4 hover:underline"
          >
            {project.name}
          </Link>
          <VoteStateBadge state={state === 'verified' && vote.when !== null ? 'waiting' : state} />
        </p>
        <p className="flex items-start gap-2">
          <Icon
            aria-hidden
            size={16}
            className={`mt-1 shrink-0 ${voteType === 'bullish' ? 'text-bull' : 'text-bear'}`}
          />
          {callText(vote)}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-faint empty:hidden">
          {call?.move ? (
            <span className={call.move === 'toward' ? 'text-link' : ''}>{MOVE_TEXT[call.move]}</span>
          ) : null}
          <ChangeLink vote={vote} />
          {decision === null ? null : <span>{decision}</span>}
          {vote.when === null ? null : <span>{vote.when}</span>}
          {detail === null ? null : <span className="wrap-anywhere text-warn">{detail}</span>}
        </p>
      </div>
    </li>
  );
}

function List({ userId }: { userId: number }) {
  const list = useList(queries.votePages(userId), { noun: 'calls' });
  return (
    <Rows of={list} skeleton="h-44 w-full">
      {(rows) =>
        rows.length === 0 ? (
          <p className="text-muted">No votes yet.</p>
        ) : (
          <div>
            <ul aria-label="All your calls" className="divide-y divide-line">
              {rows.map((vote) => (
                <Line key={vote.id} vote={vote} />
              ))}
            </ul>
            <ShowMore more={list.more} noun="calls" />
          </div>
        )
      }
    </Rows>
  );
}

function ShareButton({ calls }: { calls: CallSummary }) {
  const [isDrawing, setDrawing] = useState(false);
  async function share(): Promise<void> {
    if (isDrawing) return;
    setDrawing(true);
    try {
      if (await sharePicture(calls)) toast({ title: 'Picture saved', variant: 'success' });
    } catch {
      toast({ title: 'The picture could not be drawn', variant: 'destructive' });
    }
    setDrawing(false);
  }
  return (
    <Button variant="secondary" className="justify-self-start" aria-busy={isDrawing} onClick={() => void share()}>
      <Share2 aria-hidden size={18} />
      Share a picture
    </Button>
  );
}

function Summary({ calls }: { calls: CallSummary }) {
  const { moved, week } = calls;
  return (
    <div className="grid gap-2">
      <p className="text-lg font-semibold">{moved > 0 ? callsText(calls) : 'None of your calls counts yet'}</p>
      <p className="text-muted">{weekText(week)}</p>
      <p className="max-w-prose text-sm text-muted">
        Percentages are verified bullish votes, without yours, before the day of your vote and now. A call counts after
        7 days, with ten verified votes then and now, once the share has moved by a point. It earns nothing, and only
        you see it.
      </p>
      {moved + week.bullish + week.bearish > 0 ? (
        <>
          <ShareButton calls={calls} />
          <p className="text-sm text-faint">The picture shows these totals, no project and no day.</p>
        </>
      ) : null}
    </div>
  );
}

export function Calls({ userId, takesFocus }: { userId: number; takesFocus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <Card aria-labelledby="calls" className="grid min-w-0 gap-4">
      <h2 id="calls" ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg">
        Your calls
      </h2>
      <Read of={queries.calls(userId)} skeleton="h-36 w-full">
        {(calls) => <Summary calls={calls} />}
      </Read>
      <List userId={userId} />
    </Card>
  );
}
