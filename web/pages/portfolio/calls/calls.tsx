import { Star, TrendingDown, TrendingUp } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { callsText, FOLLOWS_HASH } from '#shared/figures/calls.ts';
import type { CallSummary, VoteHistoryItem } from '#shared/contract/users.ts';
import { dayText } from '#shared/text/day-text.ts';
import { PictureLine } from '../../../components/project/picture-line.tsx';
import { Read, Rows } from '../../../components/states/read.tsx';
import { ShowMore } from '../../../components/states/show-more.tsx';
import { useStats } from '../../../components/user/use-stats.ts';
import { Dot, shareText, TwoDots } from '../../../components/values/two-dots.tsx';
import { VoteStateBadge } from '../../../components/values/voter-state.tsx';
import { useEntryNumber } from '../../../lib/entry-state.ts';
import { useIsLive } from '../../../lib/external-store.ts';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../lib/queries.ts';
import { useList } from '../../../lib/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Reasons } from '../../../voting/reasons.tsx';
import { ChangeLink } from '../../../components/values/change-link.tsx';
import { callText, majorityText } from './call-text.ts';
import { FollowedList } from './followed-list.tsx';

const SHOWN_AT_FIRST = 3;

function Why({ userId, vote: { project } }: { userId: number; vote: VoteHistoryItem }) {
  const [isOpen, setOpen] = useState(false);
  const chipsId = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={chipsId}
        aria-label={`Why? Reasons for your vote on ${project.name}`}
        onClick={() => setOpen(!isOpen)}
        className="-my-3 py-3 font-semibold text-link underline-offset-4 hover:underline"
      >
        Why?
      </button>
      <span id={chipsId} className="block basis-full empty:hidden">
        {isOpen ? (
          <Read of={queries.ownVote(userId, project.id)} skeleton="h-11 w-full">
            {({ reasons }) =>
              reasons ? <Reasons userId={userId} projectId={project.id} /> : 'No reason can be given for this vote.'
            }
          </Read>
        ) : null}
      </span>
    </>
  );
}

interface LineProps {
  userId: number;
  vote: VoteHistoryItem;
  /** Since the last visit. */
  hasMoved: boolean;
}

function Line({ userId, vote, hasMoved }: LineProps) {
  const { project, call, voteType, state, when, detail } = vote;
  const Icon = voteType === 'bullish' ? TrendingUp : TrendingDown;
  const majority = majorityText(call);
  return (
    <li className="border-t border-line py-3">
      <PictureLine project={project} width={36}>
        <div className="grid gap-1">
          <p className="flex justify-between gap-x-3">
            <Link
              href={paths.project(project)}
              dir="auto"
              className="min-w-0 truncate font-semibold underline-offset-4 hover:underline"
            >
              {project.name}
            </Link>
            <span className="text-sm">
              <ChangeLink vote={vote} />
            </span>
          </p>
          {call ? <TwoDots then={call.before} now={call.now} /> : null}
          <p className="flex items-start gap-2 text-sm">
            <Icon
              aria-hidden
              size={16}
              className={`mt-0.5 shrink-0 ${voteType === 'bullish' ? 'text-bull' : 'text-bear'}`}
            />
            {callText(vote)}
          </p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-faint empty:hidden">
            {hasMoved && call?.seen ? (
              <span className="font-semibold">{shareText(call.seen)} when you were here last</span>
            ) : null}
            {majority === null ? null : <span>{majority}</span>}
            {state === 'verified' || state === 'waiting' ? null : <VoteStateBadge state={state} />}
            {when === null ? null : <span>{when}</span>}
            {detail === null ? null : <span className="wrap-anywhere text-text">{detail}</span>}
            {call ? <Why userId={userId} vote={vote} /> : null}
          </div>
        </div>
      </PictureLine>
    </li>
  );
}

interface ListProps {
  userId: number;
  calls: CallSummary;
  isWhole: boolean;
  onWhole: () => void;
}

function List({ userId, calls: { movedVotes }, isWhole, onWhole }: ListProps) {
  const list = useList(queries.votePages(userId), { noun: 'calls' });
  const moved = new Set(movedVotes.map(({ id }) => id));
  return (
    <Rows of={list} skeleton="h-44 w-full">
      {(rows) => {
        const all = [...movedVotes, ...rows.filter(({ id }) => !moved.has(id))];
        if (all.length === 0) return <p className="text-muted">No votes yet.</p>;
        const isFolded = !isWhole && all.length > SHOWN_AT_FIRST;
        return (
          <div>
            <ul
              aria-label="All your calls"
              className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-x-10"
            >
              {all.slice(0, isFolded ? SHOWN_AT_FIRST : all.length).map((vote) => (
                <Line key={vote.id} userId={userId} vote={vote} hasMoved={moved.has(vote.id)} />
              ))}
            </ul>
            {isFolded ? (
              <Button variant="secondary" className="mt-3" onClick={onWhole}>
                See all your calls
              </Button>
            ) : (
              <ShowMore more={list.more} noun="calls" />
            )}
          </div>
        );
      }}
    </Rows>
  );
}

function Summary({ calls }: { calls: CallSummary }) {
  const { asOf } = calls;
  return (
    <div className="grid gap-1">
      <p className="text-lg font-semibold">
        {calls.calls > 0
          ? callsText(calls)
          : 'None of your calls counts yet: each does after 7 days, once its project has ten verified votes'}
      </p>
      <p className="text-sm text-muted">
        Verified share without your vote:{' '}
        <span className="whitespace-nowrap">
          <Dot /> the day before it
        </span>
        , and{' '}
        <span className="whitespace-nowrap">
          <Dot isNow /> now
        </span>
        {asOf === null ? '' : ` (as of ${dayText(asOf)})`}. Only you see it.
      </p>
    </div>
  );
}

const [UNKNOWN, FIRST, WHOLE, FOLLOWED] = [0, 1, 2, 3];

/** All own votes, those that moved since the last visit first (R90), or the projects that the user follows (R91). */
export function Calls({ userId }: { userId: number }) {
  // Back from a project returns to its line.
  const [view, setView] = useEntryNumber('calls', UNKNOWN);
  const isLive = useIsLive();
  const { stats } = useStats(userId);
  // A notice of several turns leads here. The server, which draws this page too, knows no hash.
  const isFollowed = view === FOLLOWED || (view === UNKNOWN && isLive && location.hash === FOLLOWS_HASH);
  const rows = Math.min(stats?.totalVotes ?? 0, SHOWN_AT_FIRST);
  return (
    <Card aria-labelledby="calls" className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="calls" className="text-lg">
          Your calls
        </h2>
        <Button
          variant={isFollowed ? 'primary' : 'secondary'}
          aria-pressed={isFollowed}
          onClick={() => setView(isFollowed ? FIRST : FOLLOWED)}
        >
          <Star aria-hidden size={18} fill={isFollowed ? 'currentColor' : 'none'} />
          Followed
        </Button>
      </div>
      {isFollowed ? (
        <FollowedList userId={userId} />
      ) : (
        <Read
          of={queries.calls(userId)}
          skeleton={
            <div className="grid gap-3">
              <Skeleton className={rows === 0 ? 'h-61 w-full' : 'h-24 w-full'} />
              {Array.from({ length: rows }, (_, row) => (
                <Skeleton key={row} className="h-24 w-full" />
              ))}
            </div>
          }
        >
          {(calls) => (
            <>
              <Summary calls={calls} />
              <List userId={userId} calls={calls} isWhole={view === WHOLE} onWhole={() => setView(WHOLE)} />
            </>
          )}
        </Read>
      )}
    </Card>
  );
}
