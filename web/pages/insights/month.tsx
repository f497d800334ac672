import { Link } from 'wouter';
import type { Insights } from '#shared/contract/insights.ts';
import { type LeadingShare, leadingShare } from '#shared/figures/leading-share.ts';
import { type Totals, totalsOf } from '#shared/figures/insights.ts';
import { RANK_MIN_VOTES, votesForRank } from '#shared/figures/sorts.ts';
import { VERIFIED_BEGINS } from '#shared/figures/when-counts.ts';
import { nowText } from '#shared/numbers/interval.ts';
import { plural } from '#shared/numbers/plural.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import { dayText } from '#shared/text/day-text.ts';
import { paths } from '../../lib/paths.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { changeText, type Range, rateText, type Shown } from './range.ts';

const TITLES: Record<Range, string> = { '7': 'Your week', '30': 'Your month', '90': 'Your 90 days', all: 'All days' };

interface Row {
  label: string;
  /** What was, before what is. */
  was?: string;
  value: string;
  /** What the value says beside it, in words. */
  note: ReadonlyArray<string | false | null | undefined>;
  median: string | null;
}

const leadOf = ({ bullish, bearish, verifiedBullish, verifiedBearish }: Insights['before']) =>
  leadingShare({ bullish, bearish }, { bullish: verifiedBullish ?? 0, bearish: verifiedBearish ?? 0 });

const shown = (median: number | null | undefined): string | null =>
  median ? Math.round(median).toLocaleString() : null;

type Medians = Insights['medians'];

/** 'of 20, now 26 verified votes' */
function samplesOf(was: LeadingShare | null, now: LeadingShare): string {
  if (was === null || was.sample === now.sample) return now.sample;
  const isSame = was.sample.includes('verified') === now.sample.includes('verified');
  const { bullish, bearish } = was.votes;
  return isSame
    ? `of ${(bullish + bearish).toLocaleString()}, now ${now.sample.slice(3)}`
    : `${was.sample}, now ${now.sample}`;
}

function shareRow({ days, start }: Shown, medians: Medians): Row[] {
  const [was, lead] = [leadOf(start), leadOf(days.at(-1) ?? start)];
  if (!lead) return [];
  const median = shown(medians?.share);
  return [
    {
      label: 'Bullish',
      ...(was ? { was: `${was.percentage}% →` } : {}),
      value: `${lead.percentage}%`,
      note: [samplesOf(was, lead)],
      median: median && `${median}%`,
    },
  ];
}

const COUNTS: ReadonlyArray<readonly [keyof Totals, label: string]> = [
  ['votes', 'Votes'],
  ['views', 'Views'],
  ['clicks', 'Link clicks'],
  ['shares', 'Shares'],
];

function countRows({ days, before, start }: Shown, medians: Medians): Row[] {
  const [totals, earlier] = [totalsOf(days), before && totalsOf(before)];
  const voters = ({ bullish, bearish }: Insights['before']) => (bullish + bearish).toLocaleString();
  return COUNTS.flatMap(([key, label]) => ({
    label,
    value: totals[key] === 0 ? '' : `${key === 'votes' ? '+' : ''}${totals[key].toLocaleString()}`,
    note: [
      key === 'votes' && `${voters(start)} → ${voters(days.at(-1) ?? start)} voters`,
      key !== 'votes' && key !== 'views' && totals.views > 0 && `${rateText(totals[key], totals.views)} of views`,
      earlier && `${changeText(totals[key], earlier[key])} vs. before`,
    ],
    median: shown(medians?.[key]),
  })).filter(({ value }) => value !== '');
}

function standingRows({ project: { category, totalVotes, verified }, place }: Insights): Row[] {
  const checked = verified.bullish + verified.bearish;
  return [
    ...(checked === 0
      ? []
      : [
          {
            label: 'Verified',
            value: checked.toLocaleString(),
            note: [`of ${plural(totalVotes, 'vote')}`],
            median: null,
          },
        ]),
    ...(place
      ? [
          {
            label: 'Place',
            value: `${place.place} of ${place.of}`,
            note: [`in ${category}, by verified votes`],
            median: null,
          },
        ]
      : []),
  ];
}

function whatIsMissing({ project, place }: Insights): string | null {
  if (project.verified.bullish + project.verified.bearish === 0) return VERIFIED_BEGINS;
  const counted = votesForRank(project);
  return place || counted >= RANK_MIN_VOTES
    ? null
    : `A place takes ${RANK_MIN_VOTES} verified votes: ${counted} so far.`;
}

/** What the days of a listing brought, beside its category (R96). Zeros are left out. */
export function Month({ insights, range, days }: { insights: Insights; range: Range; days: Shown }) {
  // Those of other ranges are not computed.
  const medians = range === '30' ? insights.medians : null;
  const rows = [...shareRow(days, medians), ...countRows(days, medians), ...standingRows(insights)];
  const missing = whatIsMissing(insights);
  const { id, category, figuresOn, bullishCount, bearishCount, now } = insights.project;
  const recent = nowText({ bullish: bullishCount, bearish: bearishCount }, now);
  const until = days.days.at(-1)?.day;
  return (
    <Card aria-labelledby="month" className="grid min-w-0 content-start gap-3">
      <CardTitle id="month">{TITLES[range]}</CardTitle>
      <table className="-mt-3 w-full">
        <thead className="text-sm text-faint">
          <tr>
            <th scope="col">
              <VisuallyHidden>Figure</VisuallyHidden>
            </th>
            <th scope="col" className="text-start font-normal">
              {plural(days.days.length, 'day')}
              {until === undefined ? '' : ` up to ${dayText(until)}`}
            </th>
            {medians ? (
              <th scope="col" className="text-end font-normal">
                Median
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, was, value, note, median }, index) => (
            <tr key={label} className="border-t border-line align-baseline">
              <th scope="row" className="py-2 pe-4 text-start font-semibold whitespace-nowrap text-muted">
                {label}
              </th>
              <td className="py-2">
                {was === undefined ? null : <span className="display text-lg text-muted">{was} </span>}
                <span className={`display ${index === 0 ? 'text-4xl sm:text-6xl' : 'text-lg'}`}>{value}</span>{' '}
                <span className={`text-sm text-muted ${index === 0 ? 'block' : ''}`}>
                  {note.filter(Boolean).join(' · ')}
                </span>
              </td>
              {medians ? <td className="py-2 ps-2 text-end text-muted tabular-nums">{median}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-sm text-muted">
        {medians ? `Median: of ${plural(medians.listings, 'listing')} in ${category}, of the same days. ` : ''}
        {missing === null ? '' : `${missing} `}
        {recent === null ? '' : `Votes of the ${recent}. `}
        Verified votes are counted once a day, {asOfText(figuresOn)}.{' '}
        <Link href={paths.trust} className="text-link underline underline-offset-4">
          How votes are checked
        </Link>{' '}
        ·{' '}
        <a href={`/api/projects/${id}/insights.csv`} download className="text-link underline underline-offset-4">
          All days (CSV)
        </a>
      </p>
    </Card>
  );
}
