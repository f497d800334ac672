import { isolated } from '#shared/text/isolated.ts';
import { Sprout } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { Insights as Data } from '#shared/contract/insights.ts';
import type { User } from '#shared/contract/types.ts';
import { type DayFigures, dayFigures, totalsOf } from '#shared/figures/insights.ts';
import { VERIFIED_BEGINS } from '#shared/figures/when-counts.ts';
import { DAY_MS } from '../../components/charts/days.ts';
import { isEnding } from '../../components/listing/insights-path.ts';
import { ListingLive } from '../../components/listing/listing-live.tsx';
import { ProjectImage } from '../../components/project/project-image.tsx';
import { hasClock, TimeLeft } from '../../components/values/time-left.tsx';
import { paths } from '../../lib/paths.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { useTitle } from '../../lib/title.ts';
import { OpenPayments } from '../../payments/open-payments.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Charts } from './charts.tsx';
import { Month } from './month.tsx';
import { daysIn, RANGE_LABELS, RANGES, rangeOf, type Range } from './range.ts';
import { Reasons } from './reasons.tsx';
import { Renew } from './renew.tsx';
import { IdentityMoves } from './identity-moves.tsx';
import { ShowElsewhere } from './show-elsewhere.tsx';
import { Sources } from './sources.tsx';

const OPTIONS = RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }));

function Head({ project }: { project: Data['project'] }) {
  return (
    <header className="flex flex-wrap items-center gap-4">
      <ProjectImage
        src={project.imageUrl}
        name={project.name}
        alt=""
        width={64}
        height={85}
        sizes="4rem"
        className="h-21 w-16 shrink-0 rounded-lg border border-line"
      />
      <div className="grid min-w-0 flex-1 basis-52 gap-1">
        <h1 className="text-2xl wrap-anywhere md:text-4xl">Insights</h1>
        <p className="min-w-0 text-muted">
          <Link
            href={paths.project(project)}
            dir="auto"
            className="font-semibold text-text underline underline-offset-4"
          >
            {project.name}
          </Link>{' '}
          {hasClock(project) ? (
            <>
              · <TimeLeft iso={project.expiresAt} />
            </>
          ) : null}
          {project.hidden ? ' · hidden from everyone else' : ''}
        </p>
      </div>
    </header>
  );
}

function Welcome({ project }: { project: Data['project'] }) {
  return (
    <Card aria-labelledby="welcome" className="border-2 border-gold">
      <CardTitle id="welcome">Your project is live!</CardTitle>
      <ListingLive project={project} />
      <ButtonLink href={paths.project(project)} variant="secondary" className="mt-5">
        Open its page
      </ButtonLink>
    </Card>
  );
}

/** The owner's listing, in its last days or when the owner asks (R96). */
function canRenew({ hidden, submittedBy, ...project }: Data['project'], wallet: string, isAsked: boolean): boolean {
  return submittedBy === wallet && !hidden && (isAsked || isEnding(project));
}

function isEmpty(days: readonly DayFigures[]): boolean {
  const { views, votes } = totalsOf(days);
  return views + votes === 0;
}

function Figures({ insights, user }: { insights: Data; user: User }) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const range = rangeOf(search);
  const { project, before } = insights;
  const isAsked = new URLSearchParams(search).has('renew');
  const all = useMemo(() => dayFigures(insights), [insights]);
  const { days } = useMemo(() => daysIn(range, all, before), [range, all, before]);
  const closed = useMemo(() => {
    const { figuresOn } = project;
    return daysIn(range, figuresOn === null ? all : all.filter(({ day }) => day <= figuresOn), before);
  }, [range, all, before, project]);
  const choose = (next: Range) => navigate(`?days=${next}${isAsked ? '&renew' : ''}`, { replace: true });
  return (
    <>
      <div className="flex min-w-0 flex-col gap-6">
        {isEmpty(all) ? null : (
          <>
            <Segmented label="Days shown" options={OPTIONS} value={range} onChange={choose} className="self-start" />
            <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
              <Month insights={insights} range={range} days={closed} />
              <Reasons weeks={insights.reasons} />
            </div>
          </>
        )}
        {canRenew(project, user.walletAddress, isAsked) ? <Renew userId={user.id} project={project} /> : null}
      </div>
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-3">
        <Charts days={days} />
        <div className="grid min-w-0 gap-6">
          <Sources days={days} />
          <IdentityMoves days={all} changes={insights.changes} />
        </div>
        <ShowElsewhere project={project} />
      </div>
    </>
  );
}

export function Insights({ insights, user }: { insights: Data; user: User }) {
  const { project } = insights;
  useTitle(`Insights · ${isolated(project.name)}`);
  const isWelcome = new URLSearchParams(useSearch()).has('welcome');
  const hasNothing = isEmpty(dayFigures(insights));
  const isNew = serverNow() - Date.parse(project.createdAt) < DAY_MS;
  return (
    <>
      <Head project={project} />
      <OpenPayments userId={user.id} />
      {isWelcome || isNew || hasNothing ? <Welcome project={project} /> : null}
      {hasNothing ? (
        <p className="flex items-center gap-3 rounded-xl bg-raised p-4 font-semibold">
          <Sprout aria-hidden size={22} className="shrink-0" />
          No views and no votes yet: views appear here within a minute, votes after midnight UTC. {VERIFIED_BEGINS}
        </p>
      ) : null}
      <Figures insights={insights} user={user} />
    </>
  );
}
