import { FEED_LIMIT } from '#shared/constants.ts';
import type { DailyCard, DailyDeck } from '#shared/contract/daily-deck.ts';
import type { Project } from '#shared/contract/types.ts';
import { IDENTITY_FIELDS } from '#shared/listings/identity.ts';
import { type ProjectRow, projectRows, toProject } from '#server/listings/projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { imageUrl as imageUrlOf } from '#server/kit/image-url.ts';
import { findStats, findVotingStatus } from '#server/people/users/queries.ts';
import { fromBits } from '../votes/own-vote.ts';
import { type AskReason, chooseDailyDeck, type Choice, withOtherVotes } from './choose.ts';
import {
  findEarlierVotes,
  findOwnVotes,
  findPools,
  findPresentVotes,
  findStoredDeck,
  findVotable,
  storeDeck,
  type EarlierVote,
  type OwnVote,
  type PresentVote,
} from './queries.ts';

const POOLS_TTL_MS = 5 * 60_000;

type Needs = Pick<Services, 'db' | 'replica' | 'cache' | 'feed' | 'undoWindowMs'>;

async function choose(
  { db, replica, cache, feed }: Needs,
  userId: number,
  dayNumber: number,
  earlier: readonly EarlierVote[],
): Promise<Choice[]> {
  const [pools, page, own] = await Promise.all([
    cache.getOrLoad('daily-pools', [], async () => ({
      value: await findPools(replica),
      expiresAtMs: Date.now() + POOLS_TTL_MS,
    })),
    feed.read(userId, FEED_LIMIT),
    findOwnVotes(db, userId),
  ]);
  const votable = await findVotable(db, userId, [...pools.new, ...pools.close, ...pools.moved]);
  const moved = new Set(pools.moved);
  const old = own.filter(({ isOld }) => isOld);
  const unasked = (reason: AskReason, votes: readonly OwnVote[]) =>
    votes.filter(({ asked }) => !asked.includes(reason)).map(({ projectId }) => projectId);
  const inFeed = (ids: readonly number[]) => ids.filter((id) => votable.has(id));
  return chooseDailyDeck(userId, dayNumber, {
    still_bullish: earlier.map(({ projectId }) => projectId),
    new: inFeed(pools.new),
    close: inFeed(pools.close),
    moved: inFeed(pools.moved),
    feed: (JSON.parse(page.json.toString()) as Project[]).map(({ id }) => id),
    again: {
      unverified: unasked(
        'unverified',
        own.filter(({ isUnverified }) => isUnverified),
      ),
      identity: unasked(
        'identity',
        old.filter(({ isOfEarlierIdentity }) => isOfEarlierIdentity),
      ),
      moved: unasked(
        'moved',
        old.filter(({ projectId }) => moved.has(projectId)),
      ),
      old: unasked('old', old),
    },
    own: own.map(({ projectId }) => projectId),
  });
}

function changeSince({ changed, oldName }: PresentVote, { name }: ProjectRow): Pick<DailyCard, 'changed'> {
  const what = IDENTITY_FIELDS.filter((field) => changed.includes(field) && (field !== 'name' || oldName !== name));
  return what.length === 0 ? {} : { changed: { what, name: what.includes('name') ? oldName : null } };
}

/** Shows the project before the vote, and its result after the undo window (R59). */
function toCard({ projectId, kind }: Choice, row: ProjectRow | undefined, vote: PresentVote | undefined): DailyCard {
  const visible = row && !row.hiddenAt ? row : null;
  const imageUrl = visible && imageUrlOf(visible.imageHash);
  const card = { projectId, kind, name: visible?.name ?? null, imageUrl, asksAbout: null };
  const voteType = vote?.bullish ? ('bullish' as const) : ('bearish' as const);
  const isAsked = vote !== undefined && kind === 'still_bullish' && !vote.isOfToday;
  if (!visible || vote === undefined || isAsked) {
    const isOpen = visible !== null && visible.expiresAt.getTime() > Date.now();
    const asksAbout = isOpen && isAsked ? voteType : null;
    const since = asksAbout && vote && visible ? changeSince(vote, visible) : {};
    return { ...card, project: isOpen ? toProject(visible) : null, asksAbout, ...since, vote: null };
  }
  if (vote.isUndoable) {
    return { ...card, project: null, vote: { voteType, bullishCount: null, bearishCount: null } };
  }
  const { bullish: bullishCount, bearish: bearishCount, expiresAt } = visible;
  const reasons = expiresAt.getTime() > Date.now() ? { reasons: fromBits(vote.reasons) } : {};
  return { ...card, project: null, vote: { voteType, bullishCount, bearishCount, ...reasons } };
}

/** The stored deck and votes cast elsewhere today, which count for the day too. */
async function toCards(services: Needs, userId: number, stored: readonly Choice[]): Promise<DailyCard[]> {
  const storedIds = stored.map(({ projectId }) => projectId);
  const votes = await findPresentVotes(services, userId, storedIds);
  const isVoted = (id: number) => votes.get(id)?.isOfToday === true;
  const otherIds = [...votes.keys()].filter((id) => isVoted(id) && !storedIds.includes(id));
  const choices = withOtherVotes(stored, ({ projectId }) => !isVoted(projectId), otherIds);
  if (choices.length === 0) return [];
  const ids = choices.map(({ projectId }) => projectId);
  const rows = await projectRows(services.db).where('projects.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const given = [...votes.keys()].filter(isVoted);
  const place = ({ projectId }: Choice) => (isVoted(projectId) ? given.indexOf(projectId) : given.length);
  return choices
    .toSorted((one, other) => place(one) - place(other))
    .map((choice) => toCard(choice, byId.get(choice.projectId), votes.get(choice.projectId)));
}

/** Made at the first call of the UTC day. An empty deck is made again at the next call. */
export async function readDailyDeck(services: Needs, userId: number): Promise<DailyDeck> {
  const { db } = services;
  const [stored, earlier] = await Promise.all([findStoredDeck(db, userId), findEarlierVotes(db, userId)]);
  let { choices } = stored;
  if (choices === null) {
    choices = await choose(services, userId, stored.dayNumber, earlier);
    if (choices.length > 0) choices = await storeDeck(db, userId, stored.day, choices);
  }
  const [cards, stats, status] = await Promise.all([
    toCards(services, userId, choices),
    findStats(db, userId),
    findVotingStatus(db, userId),
  ]);
  return {
    day: stored.day,
    cards,
    streak: stats.streak,
    votesReturnAt: status.periodEndsAt,
    earlierVotes: earlier.map(({ projectId, bullish }) => ({ projectId, voteType: bullish ? 'bullish' : 'bearish' })),
  };
}
