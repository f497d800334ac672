/** Pages with several projects, the feed, and the licence of the figures. */
import { z } from 'zod';
import { listingEntry, toAtom, type AtomEntry } from '#shared/atom.ts';
import { ListedProject } from '#shared/contract/projects.ts';
import { RecordSummary } from '#shared/contract/record.ts';
import { Trust } from '#shared/contract/standing.ts';
import { Project } from '#shared/contract/types.ts';
import { nowText, verifiedText } from '#shared/interval.ts';
import { likelyText } from '#shared/leading-share.ts';
import { plural } from '#shared/plural.ts';
import type { Figure, Place } from './compare.ts';
import { drawnText, pageData, parsedAs, percentsIn, plain, unescaped } from './drawings.ts';
import { type Known, type Line, pagesOf, type Shown } from './shown.ts';

const HtmlLeaderboard = z.object({ leaderboard: z.array(ListedProject) });
const HtmlHome = z.object({ guestCards: z.array(Project) });
const HtmlTrust = z.object({ trust: z.object({ figures: Trust, record: RecordSummary }) });

export const frontOf = (html: { leaderboard: string | null; home: string | null; trust: string | null }) => ({
  leaderboard: parsedAs(HtmlLeaderboard, pageData(html.leaderboard ?? ''))?.leaderboard ?? null,
  leaderboardText: drawnText(html.leaderboard ?? ''),
  cards: parsedAs(HtmlHome, pageData(html.home ?? ''))?.guestCards ?? null,
  trust: parsedAs(HtmlTrust, pageData(html.trust ?? ''))?.trust ?? null,
});

export const hrefOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/** The licence that a `Link` header names (RFC 8288), by its address. */
export const licenseIn = (link: string | null): string | null =>
  /<([^>]*)>; rel="license"/.exec(link ?? '')?.[1] ?? null;

const ENTRY = /<entry>[\s\S]*?<\/entry>/g;
function entryOf(xml: string, origin: string): AtomEntry | null {
  const field = (pattern: RegExp): string => unescaped(pattern.exec(xml)?.[1] ?? '');
  const at = new Date(field(/<published>([^<]*)</));
  const changedAt = new Date(field(/<updated>([^<]*)</));
  if (Number.isNaN(at.getTime() + changedAt.getTime())) return null;
  return {
    ref: field(/<id>tag:[^:]*:([^<]*)</),
    title: field(/<title>([^<]*)</),
    path: field(/href="([^"]*)"/).slice(origin.length),
    author: field(/<name>([^<]*)</),
    category: field(/<category term="([^"]*)"/),
    text: field(/<content type="text">([^<]*)</),
    at,
    changedAt,
  };
}

/** The feed is what its entries say and nothing else; an entry of a listing says what its page does. */
function feedPlaces(site: Shown): Place[] {
  const { feed, origin, license } = site.front();
  if (feed === null) return [];
  const entries = (feed.match(ENTRY) ?? []).map((xml) => entryOf(xml, origin));
  const known = entries.filter((entry) => entry !== null);
  const isFeed = known.length === entries.length && toAtom(origin, known, license) === feed;
  const pages = new Map(pagesOf(site).map((page) => [`projects/${page.id}`, page]));
  return [
    ['/feed.xml', { isMadeOfItsEntries: isFeed }, { isMadeOfItsEntries: true }],
    ...known.flatMap((entry): Place[] => {
      const page = pages.get(entry.ref);
      if (!page) return [];
      const { ref, title, path, text, category } = listingEntry({ ...page, createdAt: new Date(page.createdAt) }, '');
      return [
        [
          `/feed.xml, ${entry.ref}`,
          { ...entry, on: entry.at.toISOString() },
          { ref, title, path, text, category, on: page.createdAt },
        ],
      ];
    }),
    // The words of a review are its author's.
    ...known
      .filter(({ ref }) => !ref.startsWith('projects/'))
      .map(({ ref, title }): Place => [`/feed.xml, ${ref}`, title.startsWith('Review of '), true]),
  ];
}

/** Percentages of the drawn leaderboard that its figures and its projects' own words do not have. */
function leaderboardPlaces({ front }: Shown): Place[] {
  const { leaderboard, leaderboardText: text } = front();
  if (leaderboard === null || text.trim() === '') return [];
  const words = leaderboard.flatMap(({ name, description, changed }) => [name, description, changed?.name ?? '']);
  const figures = leaderboard.flatMap(
    ({ bullishCount, bearishCount, bullishPercentage, totalVotes, verified, now }) => {
      const votes = { bullish: bullishCount, bearish: bearishCount };
      if (totalVotes === 0) return ['No votes yet'];
      const shown = [
        `${bullishPercentage}% bullish`,
        plural(totalVotes, 'vote'),
        likelyText(votes),
        verifiedText(verified),
      ];
      return [...shown, nowText(votes, now) ?? []].flat();
    },
  );
  const expected = figures.map(plain);
  const known = new Set(percentsIn([...words.map(plain), ...expected].join('\n')));
  const missing = expected.filter((one) => !text.includes(one));
  const others = percentsIn(text).filter((percent) => !known.has(percent));
  return [
    [
      'HTML of /leaderboard',
      { missing: missing.slice(0, 3).join(' · ') || null, others: others.slice(0, 3).join(' · ') || null },
      { missing: null, others: null },
    ],
  ];
}

export const FRONT: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Copies',
    figure: 'licence',
    places({ front, licenses }) {
      const { license } = front();
      // A header names the address alone.
      const expected = (shown: object | null) =>
        license &&
        (shown === null || 'name' in shown ? { ...license, url: hrefOf(license.url) } : { url: hrefOf(license.url) });
      return licenses().map(([where, shown]) => [where, shown, expected(shown)]);
    },
  },
  {
    line: 'Copies',
    figure: 'place',
    places(site) {
      const { leaderboard } = site.front();
      const listed = site.open();
      return (leaderboard ?? []).map(({ id, rank, trend }, at) => {
        const row = listed[at];
        const expected = { id: row?.id, rank: row?.rank, trend: row?.trend };
        return [`place ${at + 1} in the HTML of /leaderboard`, { id, rank, trend }, expected];
      });
    },
  },
  {
    line: 'Copies',
    figure: 'checkpoint',
    places({ front }, { record: { checkpoints } }) {
      const shown = front().trust?.record.checkpoints ?? [];
      const roots = new Map(checkpoints.map(({ size, root }) => [size, root]));
      return shown.map(({ size, root, day }) => [`${day} in the HTML of /trust`, root, roots.get(size)]);
    },
  },
  { line: 'Drawings', figure: 'feed', places: feedPlaces },
  { line: 'Drawings', figure: 'text', places: leaderboardPlaces },
];
