import { structuredData } from '#shared/structured-data.ts';
import { listingEntry, toAtom } from '#shared/atom.ts';
import { drawBadge } from '#shared/badge/badge.ts';
import { drawEmbed } from '#shared/badge/embed.ts';
import { lookupLine } from '#shared/badge/figures.ts';
import type { Lookup } from '#shared/contract/lookup.ts';
import type { ListedProject, ProjectPage } from '#shared/contract/projects.ts';
import type { Recount } from '#shared/contract/record.ts';
import type { Reach, Trust } from '#shared/contract/standing.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { escapeHtml } from '#shared/escape.ts';
import { nowText, verifiedText, wilsonInterval } from '#shared/interval.ts';
import { leadingShare, likelyText, shareTitle } from '#shared/leading-share.ts';
import { plural } from '#shared/plural.ts';
import type { Copy, Front, Licenses } from '../verify/elsewhere.ts';
import { frontOf } from '../verify/front.ts';
import type { Project } from '#shared/contract/types.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { MADE_TIME, madeDay, madeProject, madeRow } from '#shared/testing/site.ts';
import { toBase64Url } from '../entries/base64url.ts';
import { digestText, opinionDigest } from '../entries/digest.ts';
import { versionHash } from '../entries/sealed.ts';
import { MadeRecord } from './record.ts';

const SALT = new Uint8Array(16).fill(7);

type Content = Pick<Project, 'name' | 'imageUrl' | 'twitterHandle' | 'website' | 'category' | 'description'>;

/** A version of a listing with its seal. */
export function sealedVersion(content: Content, part: Partial<ListingVersion> = {}): ListingVersion {
  const { name, imageUrl, twitterHandle, website, category, description } = content;
  const picture = imageUrl.replace(/^\/images\/(?:(\w+)\.webp)?.*$/, '$1');
  return {
    number: 1,
    identity: 1,
    createdAt: MADE_TIME,
    name,
    imageUrl,
    twitterHandle,
    website,
    category,
    description,
    isBlanked: false,
    isSameProject: false,
    blankedAt: null,
    sameAt: null,
    apartAt: null,
    salt: toBase64Url(SALT),
    hash: versionHash({ name, handle: twitterHandle, website: website ?? '', category, description, picture }, SALT),
    ...part,
  };
}

/** The versions of a listing that has not changed. */
export const versionsOf = (project: Content): ListingVersion[] => [sealedVersion(project)];

/** Two days, three projects; a moderator has hidden the last one. */
export const record = new MadeRecord();
const voters = Array.from({ length: 10 }, (_, voter) => voter);
const stateOf = (isVerified: boolean) => (isVerified ? ('verified' as const) : ('waiting' as const));
record.publish({
  day: '2026-11-20',
  others: [1, 2, 3].map((projectId) => {
    const [version] = versionsOf(madeProject(projectId, 0, 0));
    return { kind: 'version', day: '2026-11-20', projectId, number: 1, identity: 1, hash: version?.hash ?? '' };
  }),
  votes: [...voters.map((voter) => ({ voter, projectId: 1, state: stateOf(voter < 5) })), { voter: 0, projectId: 3 }],
  balances: { 1: 110 },
});
record.publish({
  day: '2026-11-21',
  votes: voters.map((voter) => ({ voter, projectId: 2, bullish: voter % 2 === 0, state: stateOf(voter < 4) })),
  balances: { 1: 210 },
});

const AS_OF = '2026-11-22T12:00:00Z';
export const ORIGIN = 'https://snapswipe.test';

export const FIRST = madeRow(1, 1, 10, 0);
export const SECOND = { ...madeRow(2, 2, 5, 5), coinType: '0x2::frog::FROG' };

export const SUPPLY = {
  issued: 210,
  granted: 0,
  burned: 0,
  held: 0,
  paid: 0,
  circulating: 210,
  balances: 210,
  differing: 0,
  liabilities: 210,
  holders: 10,
  entries: 21,
  recorded: { size: record.size, issued: 210, granted: 0, burned: 0, paid: 0 },
  checkedAt: null,
  asOf: AS_OF,
} satisfies Supply;

export const REACH: Reach = { day: '2026-11-21', voters: 26, listings: 0, firstWeekVotes: null };

const COUNTED = { noStanding: 0, rhythm: 0, moderator: 0, replaced: 0 };
export const TRUST: Trust = {
  votes: 21,
  verified: 9,
  waiting: 12,
  ...COUNTED,
  days: [
    { day: '2026-11-20', votes: 11, verified: 5, waiting: 6, ...COUNTED },
    { day: '2026-11-21', votes: 10, verified: 4, waiting: 6, ...COUNTED },
  ],
  readings: ['2026-11-21', '2026-11-20'].map((day) => {
    return { day, skipped: 'the node was away', wallets: 0, standing: 0, unread: 0 };
  }),
  readingsDone: 0,
  readingsSkipped: 2,
  rules: {
    minMist: '1',
    minDays: 7,
    neededDays: 6,
    windowDays: 7,
    excusedDays: 1,
    voterDays: 35,
    decisionMinDays: 10,
    rhythm: { minVotes: 5, orderShare: 1, minAlike: 1, maxChance: 1, leadShare: 1, minPacedVotes: 5, maxPaceSpread: 1 },
  },
  freeWallets: { bullish: 6, verified: null },
  day: '2026-11-21',
};

/** A page as the server draws it: title, data, and texts. */
export const madeHtml = (
  data: object,
  { title = '', texts = [], about = {} }: { title?: string; texts?: readonly string[]; about?: object } = {},
) =>
  [
    `<html><head><meta property="og:title" content="${escapeHtml(title)}">`,
    `<script type="application/ld+json">${JSON.stringify(about).replace(/</g, '\\u003c')}</script>`,
    `<script type="application/json" id="page-data">${JSON.stringify(data).replace(/</g, '\\u003c')}</script></head>`,
    `<body><div id="root">${texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}</div></body></html>`,
  ].join('');

/** The figures of a project in other places of a site. */
export function madeCopy(page: ProjectPage): Copy {
  const { id, name, expiresAt, verified, now, bullishCount: bullish, bearishCount: bearish, changed } = page;
  const votes = { bullish, bearish };
  const facts = { votes, verified, now, changed, expiresAt, hasEnded: true, day: '2026-11-21' };
  const lead = leadingShare(votes, verified);
  const texts = lead
    ? [`${lead.percentage}%`, lead.sample, likelyText(lead.votes), lead.brief, lead.beside]
    : ['No votes yet'];
  const newest = nowText(votes, now);
  const found: Lookup = {
    line: lookupLine(page, facts),
    id,
    name,
    now,
    verified,
    slug: page.slug,
    coinType: page.coinType,
    packageId: page.packageId,
    listing: page.listing,
    votes: { ...votes, share: bullish / (bullish + bearish), ...wilsonInterval(votes) },
    changed: null,
    expired: true,
    figuresOn: page.figuresOn,
    asOf: AS_OF,
    url: `${ORIGIN}/projects/${page.slug}`,
    badge: `${ORIGIN}/badge/${page.slug}.svg`,
  };
  return {
    id,
    own: page,
    trend: { days: [], figuresOn: null },
    ownTrend: { days: [], figuresOn: null },
    versions: [],
    ownVersions: [],
    lookups: page.coinType === null ? [] : [{ name: page.coinType, found }],
    badge: drawBadge(page, facts, 'auto'),
    embed: drawEmbed(page, facts, 'auto'),
    html: madeHtml(
      { project: page },
      {
        title: shareTitle(name, votes, verified),
        about: structuredData(page, ''),
        texts: [...texts, ...(newest && now ? [newest, likelyText(now)] : [])],
      },
    ),
  };
}

export const LICENSE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' };
export const LICENSES: Licenses = [
  ['/api/config', LICENSE],
  ['header of /feed.xml', { url: LICENSE.url }],
];
const AUTHOR = 'frog';

/** Its feed and its pages with several projects, also as HTML. */
export function madeFront(rows: readonly ListedProject[]): Front & { html: Parameters<typeof frontOf>[0] } {
  const entries = rows.map((row) => listingEntry({ ...row, createdAt: new Date(row.createdAt) }, AUTHOR));
  const texts = rows.flatMap((row) => {
    const votes = { bullish: row.bullishVotes, bearish: row.bearishVotes };
    const shown = [`${row.bullishPercentage}% bullish`, plural(row.totalVotes, 'vote'), likelyText(votes)];
    return [...shown, verifiedText(row.verified), nowText(votes, row.now) ?? []].flat();
  });
  const html = {
    leaderboard: madeHtml({ leaderboard: rows }, { texts }),
    home: madeHtml({ guestCards: rows.map((row) => ({ ...row, now: undefined })) }),
    trust: null,
  };
  return {
    html,
    origin: ORIGIN,
    license: LICENSE,
    feed: toAtom(ORIGIN, entries, LICENSE),
    ...frontOf(html),
  };
}

const digestOf = (projectId: number): string =>
  digestText(
    record.entries.reduce((sum, one) => {
      return one.kind === 'vote' && one.projectId === projectId ? sum + opinionDigest(one) : sum;
    }, 0n),
  );

/** Responses of a site that shows what its record says. */
export function fittingSite() {
  let recounts = 0;
  return {
    /** A recount as of now, newer each time, with `since` further votes on the second project. */
    recount(since = 0, size = record.size): Recount {
      recounts += 1;
      const counted = (projectId: number, bullish: number, bearish: number, later = 0) => ({
        projectId,
        period: 1,
        recorded: { bullish, bearish },
        since: { bullish: later, bearish: 0 },
        digest: digestOf(projectId),
      });
      return {
        size,
        until: MADE_TIME,
        asOf: new Date(Date.parse(SUPPLY.asOf) + recounts).toISOString(),
        votesSince: since,
        projects: [counted(1, 10, 0), counted(2, 5, 5, since), counted(3, 1, 0)],
      };
    },
    /** The leaderboard at the end of a day. */
    dayFile(day: string) {
      const [none, one] = [madeRow(2, 2, 0, 0), madeRow(1, 1, 0, 0)];
      if (day < '2026-11-20') return madeDay(day, [one, none]);
      return madeDay(day, [FIRST, day < '2026-11-21' ? none : SECOND]);
    },
  };
}
