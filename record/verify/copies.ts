/**
 * The same figures in other places: each project as the page's own address, its HTML, a look-up, a badge and an embedded
 * card show it. They are compared with its page under /api/v1, which the other lines compare with the record.
 *
 * Texts and pictures are made again from the figures by the functions that the server uses, not searched for figures.
 */
import { z } from 'zod';
import { drawBadge } from '#shared/badge/badge.ts';
import { drawEmbed } from '#shared/badge/embed.ts';
import { type BadgeFacts, lookupLine } from '#shared/badge/figures.ts';
import { ProjectPage } from '#shared/contract/projects.ts';
import type { ProjectTrend } from '#shared/contract/trends.ts';
import type { Project } from '#shared/contract/types.ts';
import { reasonsText, sharesOfReasons } from '#shared/reasons.ts';
import { aggregateRating } from '#shared/structured-data.ts';
import { changedText } from '#shared/change-text.ts';
import { nowText, type VoteCounts, wilsonInterval } from '#shared/interval.ts';
import { leadingShare, likelyText, shareTitle } from '#shared/leading-share.ts';
import { between, type Figure, fits, type Place } from './compare.ts';
import { drawnText, factsOf, pageData, parsedAs, percentsIn, plain, statedRating, titlesOf } from './drawings.ts';
import type { Copy } from './elsewhere.ts';
import { type Known, type Line, NONE, pagesOf, type Shown } from './shown.ts';

/** Facts that every place shows alike, however many votes arrive. */
const FACTS = [
  'slug',
  'name',
  'category',
  'description',
  'imageUrl',
  'twitterHandle',
  'website',
  'coinType',
  'packageId',
  'identity',
  'submittedBy',
  'transactionHash',
  'listing',
  'createdAt',
  'expiresAt',
  'period',
  'periodEndsAt',
] as const satisfies ReadonlyArray<keyof Project>;
/** Facts that move with the votes. */
const MOVING_FACTS = ['verified', 'verifiedSince', 'rankVotes', 'changed'] as const satisfies ReadonlyArray<
  keyof Project
>;
const PAGE_FACTS = ['nextAbove', 'standingMinMist', 'changes', 'hidden'] as const;

type Fields = Record<string, unknown>;
const isSame = (one: unknown, other: unknown): boolean => fits(one, other) && fits(other, one);
const pick = (source: object, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, (source as Fields)[name] ?? null]));

/** Facts of a copy by those of the page as it was read once or several times: an older copy is that of an earlier moment. */
function amongSeen(shown: Fields, seen: readonly ProjectPage[], names: readonly string[]): Fields {
  const readings = seen.map((page) => pick(page, names));
  return Object.fromEntries(
    names.map((name) => {
      const values = readings.map((reading) => reading[name]);
      return [name, values.find((value) => isSame(shown[name], value)) ?? hullOf(values)];
    }),
  );
}

const compared = (project: object, seen: readonly ProjectPage[], names: readonly string[]): [Fields, Fields] => {
  const shown = pick(project, names);
  return [shown, amongSeen(shown, seen, names)];
};

const isCounts = (value: unknown): value is VoteCounts =>
  typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'bearish,bullish';

/** Counts between those of several readings; anything else as it was read last. */
function hullOf(values: readonly unknown[]): unknown {
  const counts = values.filter(isCounts);
  if (counts.length < values.length || counts.length === 0) return values.at(-1);
  const range = (name: keyof VoteCounts) => {
    const all = counts.map((one) => one[name]);
    return between(Math.min(...all), Math.max(...all));
  };
  return { bullish: range('bullish'), bearish: range('bearish') };
}

const seenOf = ({ seen }: Known, id: number): readonly ProjectPage[] => seen.get(id) ?? [];
const HtmlPage = z.object({ project: ProjectPage });
const htmlPage = ({ html }: Copy): ProjectPage | null =>
  html === null ? null : (parsedAs(HtmlPage, pageData(html))?.project ?? null);

/** Every place that shows a project as the API does. */
function* projectsIn({ copies, front }: Shown): Generator<readonly [where: string, shown: Project]> {
  for (const copy of copies()) {
    if (copy.own) yield [`project ${copy.id} at /api/projects`, copy.own];
    const page = htmlPage(copy);
    if (page) yield [`project ${copy.id} in the HTML of its page`, page];
  }
  const { leaderboard, cards } = front();
  for (const row of leaderboard ?? []) yield [`project ${row.id} in the HTML of /leaderboard`, row];
  for (const card of cards ?? []) yield [`project ${card.id} in the HTML of /`, card];
}

/** The lists, too, whose counters other lines compare. */
function* listedIn(site: Shown): Generator<readonly [where: string, shown: Project]> {
  for (const row of site.leaderboard()) yield [`project ${row.id} on the leaderboard`, row];
  for (const row of site.open()) yield [`project ${row.id} in the list of /api/v1`, row];
  for (const row of site.newest()) yield [`project ${row.id} in the public list`, row];
  yield* projectsIn(site);
}

const votesOf = ({ bullishCount: bullish, bearishCount: bearish }: Project): VoteCounts => ({ bullish, bearish });
const countsOf = ({ copyCounts }: Known, id: number) => copyCounts.get(id) ?? NONE;
/** Moments before which something that is a minute old was drawn. */
const CACHED_MS = 120_000;
const endedBy = (expiresAt: string, asOf: string): boolean | undefined => {
  const leftMs = Date.parse(expiresAt) - Date.parse(asOf);
  return Math.abs(leftMs) < CACHED_MS ? undefined : leftMs < 0;
};

/** Each place of a drawing, with what it would be if it were drawn from the figures that it names. */
function drawing(
  { where, drawn, id }: { where: string; drawn: string | null; id: number },
  known: Known,
  draw: (page: ProjectPage, facts: BadgeFacts) => string,
): Place {
  const seen = seenOf(known, id);
  const page = seen.at(-1);
  if (!page) return [where, null, undefined];
  const facts = drawn === null ? null : factsOf(drawn);
  const { verified, now } = facts ?? { verified: null, now: null };
  const isDrawn =
    facts !== null &&
    drawn !== null &&
    seen.some((one) => plain(drawn) === plain(draw(one, { ...facts, changed: one.changed, expiresAt: one.expiresAt })));
  return [
    where,
    drawn === null ? null : { ...facts, isDrawnFromThem: isDrawn },
    {
      votes: countsOf(known, id),
      ...amongSeen({ verified, now }, seen, ['verified', 'now']),
      hasEnded: endedBy(page.expiresAt, known.asOf),
      day: page.figuresOn,
      isDrawnFromThem: true,
    },
  ];
}

function lookupPlace(copy: Copy, { name, found }: Copy['lookups'][number], known: Known, origin: string): Place {
  const where = `look-up of ${name}`;
  // It finds the listing with the better claim where several have one name.
  const id = found?.id ?? copy.id;
  const seen = seenOf(known, id);
  const page = seen.at(-1);
  if (!found || !page) return [where, found && { project: found.id }, { project: copy.id }];
  const { bullish, bearish } = found.votes;
  const votes = { bullish, bearish };
  const lineOf = ({ changed, expiresAt }: ProjectPage): string =>
    lookupLine(found, {
      votes,
      verified: found.verified,
      now: found.now,
      changed,
      expiresAt,
      hasEnded: found.expired,
      day: found.figuresOn,
    });
  const total = bullish + bearish;
  const facts = amongSeen({ ...found }, seen, [
    'verified',
    'now',
    'figuresOn',
    'listing',
    'slug',
    'name',
    'coinType',
    'packageId',
  ]);
  const changes = seen.map(({ changed }) => (changed ? changedText(total, changed) : null));
  return [
    where,
    { ...found, isLine: seen.some((one) => plain(lineOf(one)) === plain(found.line)) },
    {
      ...facts,
      votes: { ...countsOf(known, id), share: total === 0 ? null : bullish / total, ...wilsonInterval(votes) },
      changed:
        changes.find((text) => plain(text ?? '') === plain(found.changed ?? '')) === undefined
          ? changes.at(-1)
          : undefined,
      expired: endedBy(page.expiresAt, known.asOf),
      url: `${origin}/projects/${page.slug}`,
      badge: `${origin}/badge/${page.slug}.svg`,
      isLine: true,
    },
  ];
}

/** Everything that the page of a project says in numbers, as the server draws it (web/pages/project/vote-result.tsx, how-we-know.tsx). */
function textsOf(page: ProjectPage): string[] {
  const votes = votesOf(page);
  const lead = leadingShare(votes, page.verified);
  if (!lead) return ['No votes yet'];
  const now = nowText(votes, page.now);
  return [
    `${lead.percentage}%`,
    lead.sample,
    likelyText(lead.votes),
    lead.brief,
    lead.beside,
    ...(now && page.now ? [now, likelyText(page.now)] : []),
    ...page.reasons.map(reasonsText),
    ...(page.changed ? [changedText(page.totalVotes, page.changed)] : []),
  ].map(plain);
}

/** Percentages of a page that neither its figures nor the words of its owners have. */
function strangePercents(text: string, page: ProjectPage): string[] {
  const { name, description, category, changed, nextAbove, listing, reasons } = page;
  const words = [name, description, category, changed?.name, nextAbove?.name, listing.subject, listing.lookAlike?.name];
  const own = [...words.map((one) => plain(one ?? '')), ...textsOf(page)].join('\n');
  const known = new Set([
    ...percentsIn(own),
    ...reasons.flatMap(sharesOfReasons).map(({ percentage }) => `${percentage}%`),
  ]);
  return percentsIn(text).filter((percent) => !known.has(percent));
}

function htmlPlace(copy: Copy): Place[] {
  const page = htmlPage(copy);
  if (copy.html === null) return [];
  const where = `HTML of project ${copy.id}`;
  if (!page) return [[where, { hasFigures: false }, { hasFigures: true }]];
  const title = plain(shareTitle(page.name, votesOf(page), page.verified));
  const titles: Place[] = titlesOf(copy.html).map((shown) => [`title of project ${copy.id}`, plain(shown), title]);
  titles.push([`rating of project ${copy.id}`, statedRating(copy.html), aggregateRating(page.verified)]);
  const text = drawnText(copy.html);
  // A page that only the browser draws has its figures from the data.
  if (text.trim() === '') return titles;
  const missing = textsOf(page).filter((one) => !text.includes(one));
  const percents = strangePercents(text, page);
  return [
    ...titles,
    [
      where,
      { missing: missing.join(' · ') || null, others: percents.slice(0, 3).join(' · ') || null },
      { missing: null, others: null },
    ],
  ];
}

const recordedDays = (trend: ProjectTrend | null, last: string) => trend?.days.filter(({ day }) => day <= last) ?? null;

export const COPIES: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Copies',
    figure: 'votes',
    *places(site, known) {
      for (const [where, project] of projectsIn(site)) {
        const { bullish, bearish } = votesOf(project);
        const twice = 'bullishVotes' in project ? { bullishVotes: bullish, bearishVotes: bearish } : {};
        const shown = { ...project, bullish, bearish };
        yield [where, shown, { ...countsOf(known, project.id), totalVotes: bullish + bearish, ...twice }];
      }
    },
  },
  {
    line: 'Copies',
    figure: 'facts',
    *places(site, known) {
      for (const [where, project] of listedIn(site)) {
        const seen = seenOf(known, project.id);
        const names = [...FACTS, ...MOVING_FACTS];
        if (seen.length > 0) yield [where, ...compared(project, seen, names)];
      }
      for (const [where, project] of projectsIn(site)) {
        const seen = seenOf(known, project.id);
        if (seen.length > 0 && project.now !== undefined) yield [where, ...compared(project, seen, ['now'])];
      }
    },
  },
  {
    line: 'Copies',
    figure: 'facts',
    *places({ copies }, known) {
      for (const copy of copies())
        for (const page of [copy.own, htmlPage(copy)]) {
          if (!page) continue;
          const where = page === copy.own ? 'at /api/projects' : 'in the HTML of its page';
          yield [`project ${copy.id} ${where}`, ...compared(page, seenOf(known, copy.id), PAGE_FACTS)];
        }
    },
  },
  {
    line: 'Copies',
    figure: 'is shown',
    places: ({ copies }) =>
      copies().map(({ id, own }): Place => [`project ${id} at /api/projects`, own !== null, true]),
  },
  {
    line: 'Copies',
    figure: 'is the same under /api',
    places: ({ copies }, { days: { last } }) =>
      copies().flatMap(({ id, trend, ownTrend, versions, ownVersions }): Place[] => [
        [`trend of project ${id}`, isSame(recordedDays(ownTrend, last), recordedDays(trend, last)), true],
        [`versions of project ${id}`, isSame(ownVersions, versions), true],
      ]),
  },
  {
    // The threshold of SUI is the operator's; it must be the same wherever it is named.
    line: 'Copies',
    figure: 'SUI that a verified wallet holds, in MIST',
    places(site) {
      const [, trust] = site.trust()[0] ?? [];
      return pagesOf(site).map(({ id, standingMinMist }) => [
        `project ${id} on its page`,
        standingMinMist,
        trust?.rules.minMist,
      ]);
    },
  },

  {
    line: 'Drawings',
    figure: 'figures',
    places: ({ copies }, known) =>
      copies().flatMap(({ id, badge, embed }) => [
        drawing({ where: `badge of project ${id}`, drawn: badge, id }, known, (page, facts) =>
          drawBadge(page, facts, 'auto'),
        ),
        drawing({ where: `embedded card of project ${id}`, drawn: embed, id }, known, (page, facts) =>
          drawEmbed(page, facts, 'auto'),
        ),
      ]),
  },
  {
    line: 'Drawings',
    figure: 'figures',
    places: ({ copies, front }, known) =>
      copies().flatMap((copy) => copy.lookups.map((one) => lookupPlace(copy, one, known, front().origin))),
  },
  {
    line: 'Drawings',
    figure: 'text',
    places: ({ copies }) => copies().flatMap(htmlPlace),
  },
];
