import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { hasShare } from '#shared/figures/calls.ts';
import type { Follows } from '#shared/contract/follows.ts';
import type { ProjectTrend } from '#shared/contract/trends.ts';
import type { VoteCounts } from '#shared/numbers/interval.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { everyDay } from '../../../components/charts/days.ts';
import { FollowStar } from '../../../components/follow/follow-star.tsx';
import { followsQuery } from '../../../components/follow/follows.ts';
import { Loaded } from '../../../components/states/read.tsx';
import { Name } from '../../../components/values/name.tsx';
import { shareText } from '../../../components/values/two-dots.tsx';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../lib/queries.ts';
import { Button } from '../../../ui/button.tsx';

type Followed = Follows['projects'][number];
const SHOWN_AT_FIRST = 10;
const LINE_DAYS = 30;

/** Rows that were unfollowed here stay, so that a wrong press can be taken back. */
function useRows(projects: readonly Followed[] | undefined): Followed[] {
  const [seen, setSeen] = useState<Followed[]>([]);
  const known = new Set(seen.map(({ id }) => id));
  const more = (projects ?? []).filter(({ id }) => !known.has(id));
  if (more.length > 0) setSeen([...seen, ...more]);
  const fresh = new Map(projects?.map((one) => [one.id, one]));
  return seen.map((one) => fresh.get(one.id) ?? one);
}

/** Verified votes of the last 30 days up to the last closed one, oldest first. */
function lastDays({ days, figuresOn }: ProjectTrend): VoteCounts[] {
  const verified = days.map(({ day, verifiedBullish, verifiedBearish }) => ({
    day,
    bullish: verifiedBullish ?? 0,
    bearish: verifiedBearish ?? 0,
  }));
  return everyDay(verified, (before, day) => ({ ...before, day }), figuresOn ?? undefined).slice(-LINE_DAYS);
}

const [WIDTH, HEIGHT] = [96, 32];

function ShareLine({ days }: { days: readonly VoteCounts[] }) {
  const points = days.flatMap(({ bullish, bearish }, index) =>
    bullish + bearish > 0
      ? { x: (WIDTH * index) / Math.max(1, days.length - 1), y: HEIGHT * (bearish / (bullish + bearish)) }
      : [],
  );
  const last = points.at(-1);
  return (
    <svg aria-hidden viewBox={`-1 -4 ${WIDTH + 6} ${HEIGHT + 8}`} className="h-10 w-26 shrink-0 text-link" fill="none">
      <path d={`M0 ${HEIGHT / 2}h${WIDTH}`} className="stroke-line" />
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        stroke="currentColor"
        strokeWidth={2}
        strokeLinejoin="round"
      />
      {last ? <circle cx={last.x} cy={last.y} r={3.5} fill="currentColor" /> : null}
    </svg>
  );
}

function Row({ project }: { project: Followed }) {
  const { data } = useQuery(queries.trend(project.id));
  const days = data && lastDays(data);
  const now = days?.at(-1) ?? { bullish: 0, bearish: 0 };
  const { turn } = project;
  return (
    <li className="flex items-center gap-3 py-1.5">
      <p className="min-w-0 flex-1">
        <Link
          href={paths.project(project)}
          title={project.name}
          className="block truncate py-1 font-semibold underline-offset-4 hover:underline"
        >
          <Name>{project.name}</Name>
        </Link>
        <span className="block text-sm text-muted">
          {days ? `${shareText(now)} ${hasShare(now) ? 'bullish' : 'verified'}` : '\u00a0'}
          {turn ? `, ${bullishPercentage(turn.bullishBefore, turn.bearishBefore)}% a week before` : ''}
        </span>
      </p>
      <ShareLine days={days ?? []} />
      <FollowStar project={project} />
    </li>
  );
}

export function FollowedList({ userId }: { userId: number }) {
  const read = useQuery({ ...followsQuery(userId), refetchOnMount: 'always' });
  const [isOpen, setIsOpen] = useState(false);
  const rows = useRows(read.data?.projects);
  return (
    <div>
      <Loaded of={read} skeleton="h-44 w-full">
        {() => (
          <p className="text-sm text-muted">
            {rows.length === 0
              ? 'None yet. Press the star of a project: you get a message when its majority turns.'
              : 'Verified share on the last closed day, and 30 days as a line.'}
          </p>
        )}
      </Loaded>
      <ul aria-label="Projects you follow" className="divide-y divide-line">
        {rows.slice(0, isOpen ? rows.length : SHOWN_AT_FIRST).map((project) => (
          <Row key={project.id} project={project} />
        ))}
      </ul>
      {!isOpen && rows.length > SHOWN_AT_FIRST ? (
        <Button variant="secondary" className="mt-3" onClick={() => setIsOpen(true)}>
          Show all {rows.length}
        </Button>
      ) : null}
    </div>
  );
}
