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
import { PictureLine } from '../../components/project/picture-line.tsx';
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
    <header>
      <PictureLine project={project} width={64} className="items-center">
        <h1 className="text-2xl md:text-4xl">Insights</h1>
        <p className="text-muted">
          <Link
            href={paths.project(project)}
            dir="auto"
            className="font-semibold wrap-anywhere text-text underline underline-offset-4"
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
      </PictureLine>
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
  const isFilled = !isEmpty(all);
  const isRenewable = canRenew(project, user.walletAddress, isAsked);
  return (
    <>
      {isFilled ? (
        <Segmented label="Days shown" options={OPTIONS} value={range} onChange={choose} className="self-start" />
      ) : null}
      <div className="grid min-w-0 gap-x-12 gap-y-6 empty:hidden lg:has-[>:nth-child(2)]:grid-cols-2">
        {isFilled ? <Month insights={insights} range={range} days={closed} /> : null}
        {isRenewable || insights.reasons.length > 0 ? (
          <div className="grid min-w-0 content-start gap-6">
            {isFilled ? <Reasons weeks={insights.reasons} /> : null}
            {isRenewable ? <Renew userId={user.id} project={project} /> : null}
          </div>
        ) : null}
      </div>
      <Charts days={days} />
      <Sources days={days} />
      <IdentityMoves days={all} changes={insights.changes} />
      <ShowElsewhere project={project} />
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
