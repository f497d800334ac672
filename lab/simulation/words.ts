import { SENTENCE_COST_TOKENS, VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { TURN_DAYS, TURN_LEAD_VOTES, TURN_MIN_VOTES } from '#shared/voting/follow-rules.ts';
import { REASONS_MIN_VOTERS } from '#shared/voting/reasons.ts';
import { STANDING_NEEDED_DAYS, STANDING_WINDOW_DAYS } from '#shared/states/votes.ts';

const SENTENCES = 10;
const held = `1 SUI each, held on ${STANDING_NEEDED_DAYS} of ${STANDING_WINDOW_DAYS} days (not spent)`;

/** Prices of false words that need no world to be measured: they follow from the rules of reasons, sentences (R89) and turns (R91). */
export function wordPrices(): string {
  const votes = (SENTENCES * SENTENCE_COST_TOKENS) / VOTE_REWARD_TOKENS;
  return [
    '| Words | Price |',
    '| --- | --- |',
    `| 'because: team 100%', where few said why | ${REASONS_MIN_VOTERS} wallets, ${held}, once in a listing period |`,
    `| half of it, beside as many honest voters | as many wallets as they are, ${held} |`,
    `| a turn told to all followers, of ${TURN_MIN_VOTES + 1} verified votes at 6 to ${TURN_MIN_VOTES - 5} | ${Math.ceil(TURN_LEAD_VOTES / 2)} wallets that change their votes, once in ${TURN_DAYS} days, ${held} |`,
    `| ${SENTENCES} sentences on a project | ${SENTENCES} wallets, ${held}, and ${votes} votes |`,
  ].join('\n');
}
