import type { Recount } from '#shared/contract/record.ts';
import type { Trust } from '#shared/contract/standing.ts';
import type { Supply } from '#shared/contract/supply.ts';
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
record.publish({
  day: '2026-11-20',
  others: [1, 2, 3].map((projectId) => {
    const [version] = versionsOf(madeProject(projectId, 0, 0));
    return { kind: 'version', day: '2026-11-20', projectId, number: 1, identity: 1, hash: version?.hash ?? '' };
  }),
  votes: [...voters.map((voter) => ({ voter, projectId: 1 })), { voter: 0, projectId: 3 }],
  balances: { 1: 110 },
});
record.publish({
  day: '2026-11-21',
  votes: voters.map((voter) => ({ voter, projectId: 2, bullish: voter % 2 === 0 })),
  balances: { 1: 210 },
});

export const FIRST = madeRow(1, 1, 10, 0);
export const SECOND = madeRow(2, 2, 5, 5);

export const SUPPLY: Supply = {
  issued: 210,
  granted: 0,
  burned: 0,
  held: 0,
  paid: 0,
  circulating: 210,
  balances: 210,
  differing: 0,
  checkedAt: null,
  liabilities: 210,
  holders: 10,
  entries: 21,
  asOf: '2026-11-22T12:00:00Z',
};

const COUNTED = { verified: 0, noStanding: 0, rhythm: 0, moderator: 0, replaced: 0 };
export const TRUST: Trust = {
  votes: 21,
  waiting: 21,
  ...COUNTED,
  days: [
    { day: '2026-11-20', votes: 11, waiting: 11, ...COUNTED },
    { day: '2026-11-21', votes: 10, waiting: 10, ...COUNTED },
  ],
  readings: [{ day: '2026-11-20', skipped: 'the node was away', wallets: 0, standing: 0, unread: 0 }],
  readingsDone: 0,
  readingsSkipped: 1,
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
  freeWallets: { bullish: 0, verified: 0 },
  countedAt: '2026-11-22T01:00:00.000Z',
};

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
