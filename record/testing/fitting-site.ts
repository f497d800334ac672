import type { Lookup } from '#shared/contract/lookup.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { Recount } from '#shared/contract/record.ts';
import type { Reach, Trust } from '#shared/contract/standing.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { wilsonInterval } from '#shared/numbers/interval.ts';
import { leadingShare } from '#shared/figures/leading-share.ts';
import { shareIn } from '../verify/doors.ts';
import type { Door } from '../verify/shown.ts';
import type { Project } from '#shared/contract/types.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { MADE_TIME, madeDay, madeProject, madeRow } from '#shared/testing/site.ts';
import { toBase64Url } from '../entries/base64url.ts';
import { digestText, opinionDigest } from '../entries/digest.ts';
import { versionHash } from '../entries/sealed.ts';
import { MadeRecord } from './record.ts';

const SALT = new Uint8Array(16).fill(7);

type Content = Pick<Project, 'name' | 'imageUrl' | 'twitterHandle' | 'website' | 'category' | 'description'>;

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
});
record.publish({
  day: '2026-11-21',
  votes: voters.map((voter) => ({ voter, projectId: 2, bullish: voter % 2 === 0, state: stateOf(voter < 4) })),
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
  day: '2026-11-21',
  lost: 0,
  ahead: 0,
  checkedAt: null,
} satisfies Supply;

export const REACH: Reach = { day: '2026-11-21', voters: 21, listings: 0, firstWeekVotes: null };

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

/** '60% bullish of 10 votes', as a site states it for machines. */
export function madeShare({ bullishCount: bullish, bearishCount: bearish, verified }: Project): string {
  const lead = leadingShare({ bullish, bearish }, verified);
  return lead ? `${lead.percentage}% bullish ${lead.sample}` : '';
}

export function madeLookup(page: ProjectPage): Lookup {
  const { id, name, slug, coinType, packageId, listing, verified, bullishCount: bullish, bearishCount: bearish } = page;
  const votes = { bullish, bearish };
  return {
    line: `${name}: ${madeShare(page)}, likely`,
    id,
    name,
    slug,
    coinType,
    packageId,
    listing,
    verified,
    now: page.now ?? null,
    votes: { ...votes, share: bullish / (bullish + bearish), ...wilsonInterval(votes) },
    changed: null,
    expired: true,
    figuresOn: page.figuresOn,
    asOf: AS_OF,
    url: `${ORIGIN}/projects/${slug}`,
    badge: `${ORIGIN}/badge/${slug}.svg`,
  };
}

/** The figures of a project at two of its other addresses. */
export function madeDoors(page: ProjectPage): Door[] {
  const { id, bullishCount: bullish, bearishCount: bearish, verified } = page;
  const now = page.now ?? null;
  return [
    { where: `/api/projects/${id}`, id, figures: { bullish, bearish, verified, now } },
    { where: `badge of project ${id}`, id, share: shareIn(madeShare(page)) },
  ];
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
        votes: later,
        digest: digestOf(projectId),
      });
      return {
        size,
        until: MADE_TIME,
        asOf: new Date(Date.parse(AS_OF) + recounts).toISOString(),
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
