import { sql, type Transaction } from 'kysely';
import type { DB } from '#db/schema.ts';
import { randomFrom } from './random.ts';
import { DEMO_ACCOUNTS } from './accounts.ts';
import { DEMO_VOTERS, type DemoVoter, HISTORY_DAYS } from './voters.ts';

/** Two months of readings of the demo's voters (R37, R38): most hold SUI, and a few days were skipped. */

const DAY_MS = 86_400_000;
const DAYS = HISTORY_DAYS;
const SKIPPED_DAYS_AGO = new Set([5, 26, 27, 44]);
const HISTORY_BITS = 64;
/** Default STANDING_MIN_DAYS of the server. */
export const STANDING_MIN_DAYS = 7;
const MODERATED = { votes: 2, reason: 'This vote was part of a giveaway that paid for votes' };

/** Wallets of the demo with SUI on the sandbox chain. */
export const SUI_HOLDERS: readonly DemoVoter[] = DEMO_VOTERS.filter(
  ({ walletAddress }) =>
    DEMO_ACCOUNTS.some(({ address }) => address === walletAddress) ||
    randomFrom(`coins of ${walletAddress}`).chance(0.72),
);

interface Voter {
  id: number;
  walletAddress: string;
  ageDays: number;
}

/** The days on which the wallet was read, the newest first. */
function heldDays({ walletAddress, ageDays }: Voter): Array<{ daysAgo: number; held: boolean }> {
  const random = randomFrom(`readings of ${walletAddress}`);
  const isHolder = SUI_HOLDERS.some((holder) => holder.walletAddress === walletAddress);
  return Array.from({ length: DAYS }, (_, i) => ({ daysAgo: i + 1, held: isHolder && random.chance(0.985) })).filter(
    ({ daysAgo }) => !SKIPPED_DAYS_AGO.has(daysAgo) && daysAgo < ageDays,
  );
}

/** The newest day is the rightmost bit, and the first of `days`. */
const toBits = (days: readonly boolean[]): string =>
  days
    .slice(0, HISTORY_BITS)
    .map((isSet) => (isSet ? '1' : '0'))
    .toReversed()
    .join('')
    .padStart(HISTORY_BITS, '0');

export async function insertStanding(trx: Transaction<DB>, nowMs: number): Promise<void> {
  const users = await trx.selectFrom('users').select(['id', 'walletAddress', 'createdAt']).orderBy('id').execute();
  const voters = users.map(({ id, walletAddress, createdAt }) => ({
    id,
    walletAddress,
    ageDays: (nowMs - createdAt.getTime()) / DAY_MS,
  }));
  await insertDays(trx, voters, nowMs);
  await insertVoters(trx, voters, nowMs);
  await setVotesAside(trx);
}

const dayOf = (nowMs: number, daysAgo: number): string => new Date(nowMs - daysAgo * DAY_MS).toISOString().slice(0, 10);

async function insertDays(trx: Transaction<DB>, voters: readonly Voter[], nowMs: number): Promise<void> {
  const read = voters.flatMap(heldDays);
  for (let daysAgo = DAYS; daysAgo >= 1; daysAgo -= 1) {
    const day = dayOf(nowMs, daysAgo);
    const ofDay = read.filter((one) => one.daysAgo === daysAgo);
    const skipped = SKIPPED_DAYS_AGO.has(daysAgo)
      ? 'The balances could not all be read before the end of the day'
      : null;
    await sql`INSERT INTO standing_days (day, skipped, wallets, standing)
      VALUES (${day}::date, ${skipped}, ${ofDay.length}, ${ofDay.filter(({ held }) => held).length})`.execute(trx);
  }
}

async function insertVoters(trx: Transaction<DB>, voters: readonly Voter[], nowMs: number): Promise<void> {
  for (const voter of voters) {
    const history = heldDays(voter);
    const [newest] = history;
    if (!newest) continue;
    const [read, held] = [toBits(history.map(() => true)), toBits(history.map((day) => day.held))];
    await sql`INSERT INTO voter_standing (user_id, read_on, history_read, history_held)
      VALUES (${voter.id}, ${dayOf(nowMs, newest.daysAgo)}::date, ${read}::bit(64), ${held}::bit(64))`.execute(trx);
  }
}

async function setVotesAside(trx: Transaction<DB>): Promise<void> {
  await sql`INSERT INTO votes_set_aside (user_id, project_id, period, reason, detail, actor)
    SELECT user_id, project_id, period, 'moderator', ${MODERATED.reason}, 'demo' FROM votes
    WHERE user_id = (SELECT max(user_id) FROM voter_standing WHERE bit_count(history_held) > 30)
    ORDER BY created_at DESC LIMIT ${MODERATED.votes}`.execute(trx);
}
