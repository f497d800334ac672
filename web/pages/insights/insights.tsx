import { isolated } from '#shared/text/isolated.ts';
import { Download, PartyPopper, ShieldCheck, Sprout } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { Insights as Data } from '#shared/contract/insights.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { dayFigures, totalsOf } from '#shared/figures/insights.ts';
import { nowText } from '#shared/numbers/interval.ts';
import { plural } from '#shared/numbers/plural.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { DAY_MS } from '../../components/charts/days.ts';
import { ListingLive } from '../../components/listing/listing-live.tsx';
import { ProjectImage } from '../../components/project/project-image.tsx';
import { hasClock, TimeLeft } from '../../components/values/time-left.tsx';
import { paths } from '../../lib/paths.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { useTitle } from '../../lib/title.ts';
import { ButtonLink, buttonClass } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Charts } from './charts.tsx';
import { Funnel } from './funnel.tsx';
import { daysIn, RANGE_LABELS, RANGES, rangeOf, type Range } from './range.ts';
import { Reasons } from './reasons.tsx';
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
        <h1 className="text-3xl wrap-anywhere md:text-4xl">Insights</h1>
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
      <a href={`/api/projects/${project.id}/insights.csv`} download className={buttonClass('secondary')}>
        <Download aria-hidden size={18} />
        All days (CSV)
      </a>
    </header>
  );
}

function Verified({ project }: { project: Data['project'] }) {
  const votes = { bullish: project.bullishCount, bearish: project.bearishCount };
  const { verified } = project;
  const checked = verified.bullish + verified.bearish;
  const now = nowText(votes, project.now);
  return (
    <Card aria-labelledby="verified" className="grid content-start gap-3">
      <CardTitle id="verified" icon={<ShieldCheck aria-hidden size={20} className="text-link" />}>
        Verified votes
      </CardTitle>
      {project.totalVotes === 0 ? (
        <p className="text-muted">No votes yet. The first one starts the count.</p>
      ) : (
        <>
          <p className="display text-4xl">{Math.round((checked * 100) / project.totalVotes)}%</p>
          <span aria-hidden className="h-2.5 overflow-hidden rounded-full bg-raised">
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${(checked * 100) / project.totalVotes}%` }}
            />
          </span>
          <p>
            {checked.toLocaleString()} of {plural(project.totalVotes, 'vote')}
            {checked === 0 ? null : `: ${bullishPercentage(verified.bullish, verified.bearish)}% bullish`}
            {now ? ` · ${now}` : null}
          </p>
        </>
      )}
      <p className="text-sm text-muted">
        Counted once a day, {asOfText(project.figuresOn)}. Only these count in Verified and Trending.{' '}
        <Link href={paths.trust} className="text-link underline underline-offset-4">
          How votes are checked
        </Link>
      </p>
    </Card>
  );
}

function Welcome({ project }: { project: Data['project'] }) {
  return (
    <Card aria-labelledby="welcome" className="border-2 border-gold">
      <CardTitle id="welcome" icon={<PartyPopper aria-hidden size={22} className="text-warn" />}>
        Your project is live!
      </CardTitle>
      <ListingLive project={project} />
      <ButtonLink href={paths.project(project)} variant="secondary" className="mt-5">
        Open its page
      </ButtonLink>
    </Card>
  );
}

function Figures({ insights }: { insights: Data }) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const range = rangeOf(search);
  const all = useMemo(() => dayFigures(insights), [insights]);
  const shown = useMemo(() => daysIn(range, all), [range, all]);
  const choose = (next: Range) => navigate(`?days=${next}`, { replace: true });
  return (
    <>
      <section aria-label="Sums" className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Segmented label="Days shown" options={OPTIONS} value={range} onChange={choose} />
          <p className="text-sm text-faint">{plural(shown.days.length, 'day')} up to today, in UTC</p>
        </div>
        <Funnel {...shown} />
      </section>
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-3">
        <Charts days={shown.days} />
        <div className="grid min-w-0 gap-6">
          <Sources days={shown.days} />
          <Verified project={insights.project} />
          <Reasons weeks={insights.reasons} />
          <IdentityMoves days={all} changes={insights.changes} />
        </div>
        <ShowElsewhere project={insights.project} />
      </div>
    </>
  );
}

export function Insights({ insights }: { insights: Data }) {
  const { project } = insights;
  useTitle(`Insights · ${isolated(project.name)}`);
  const isWelcome = new URLSearchParams(useSearch()).has('welcome');
  const totals = totalsOf(dayFigures(insights));
  const isEmpty = totals.views + totals.votes === 0;
  const isNew = serverNow() - Date.parse(project.createdAt) < DAY_MS;
  return (
    <>
      <Head project={project} />
      {isWelcome || isNew || isEmpty ? <Welcome project={project} /> : null}
      {isEmpty ? (
        <p className="flex items-center gap-3 rounded-xl bg-accent-soft p-4 font-semibold">
          <Sprout aria-hidden size={22} className="shrink-0 text-link" />
          No views and no votes yet: views appear here within a minute, votes after midnight UTC.
        </p>
      ) : null}
      <Figures insights={insights} />
    </>
  );
}
