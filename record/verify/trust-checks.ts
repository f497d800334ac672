import type { z } from 'zod';
import type { getTrust } from '#shared/contract/standing.ts';
import { plural } from '#shared/plural.ts';
import type { StandingEntry } from '../entries/entries.ts';
import type { Recounted } from './recount.ts';
import { type Check, Differences } from './report.ts';

type Trust = z.output<typeof getTrust.response>;
type Counted = Pick<Trust, 'votes' | 'verified' | 'waiting' | 'noStanding' | 'rhythm' | 'moderator' | 'replaced'>;

interface TrustTask {
  trust: Trust;
  recounted: Recounted;
  /** Days of the whole record, oldest first. */
  readings: readonly StandingEntry[];
  /** The last day that is over and completely recorded, and when the record ends. */
  lastDay: string;
  untilMs: number;
  /** Votes since the record's end. */
  newer: number;
}

const sumOf = ({ verified, waiting, noStanding, rhythm, moderator, replaced }: Counted): number =>
  verified + waiting + noStanding + rhythm + moderator + replaced;

function compareReadings({ trust, readings }: TrustTask, differences: Differences): void {
  const recorded = new Map(readings.map(({ day, found }) => [day, found]));
  for (const { day, skipped, wallets, standing } of trust.readings) {
    const found = recorded.get(day);
    // Newer than the record.
    if (found === undefined) continue;
    const isSame =
      found === null ? skipped !== null : skipped === null && found.read === wallets && found.standing === standing;
    differences.expect(
      isSame,
      () =>
        `/trust says of the readings of ${day}: ${skipped ?? `${standing} of ${wallets}`}; the record says ${found ? `${found.standing} of ${found.read}` : 'skipped'}`,
    );
  }
}

function compareDays({ trust, recounted, lastDay }: TrustTask, differences: Differences): void {
  for (const counted of trust.days) {
    differences.expect(sumOf(counted) === counted.votes, () => `/trust: the states of ${counted.day} do not add up`);
    if (counted.day > lastDay) continue;
    const recorded = recounted.votesByDay.get(counted.day) ?? 0;
    differences.expect(
      counted.votes === recorded,
      () => `/trust shows ${plural(counted.votes, 'vote')} of ${counted.day}, the record has ${recorded}`,
    );
  }
}

/**
 * Checks the figures of /trust: all votes by state, by day, and the readings. The number of verified votes moves with
 * each reading and each decision of a moderator, so states are compared by their sum; the record fixes each of them
 * once a day.
 */
export function checkTrust(task: TrustTask): Check {
  const { trust, recounted, newer, untilMs } = task;
  const differences = new Differences();
  differences.expect(sumOf(trust) === trust.votes, () => '/trust: the states do not add up to the votes');
  const isCountedSince = trust.countedAt !== null && Date.parse(trust.countedAt) >= untilMs;
  const [least, most] = [isCountedSince ? recounted.votes : 0, recounted.votes + newer];
  differences.expect(
    trust.votes >= least && trust.votes <= most,
    () => `/trust shows ${plural(trust.votes, 'vote')}; the record has ${recounted.votes}, and ${newer} are newer`,
  );
  // A replaced vote stays replaced, and only newer votes replace further ones.
  const { replaced } = recounted.states;
  differences.expect(
    !isCountedSince || (trust.replaced >= replaced && trust.replaced <= replaced + newer),
    () => `/trust shows ${plural(trust.replaced, 'replaced vote')}, the record has ${replaced}`,
  );
  if (isCountedSince) compareDays(task, differences);
  compareReadings(task, differences);
  return differences.check('Trust', `${plural(trust.votes, 'vote')} by state and day, and the readings`);
}
