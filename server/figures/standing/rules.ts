import type { StandingRules } from '#shared/contract/standing.ts';
import {
  DECISION_MIN_DAYS,
  STANDING_EXCUSED_DAYS,
  STANDING_NEEDED_DAYS,
  STANDING_VOTER_DAYS,
  STANDING_WINDOW_DAYS,
} from '#shared/states/votes.ts';
import type { Config } from '#server/kit/config.ts';
import { RHYTHM } from './rhythm-rule.ts';

export const rulesOf = (config: Pick<Config, 'standingMinMist' | 'standingMinDays'>): StandingRules => ({
  minMist: config.standingMinMist.toString(),
  minDays: config.standingMinDays,
  neededDays: STANDING_NEEDED_DAYS,
  windowDays: STANDING_WINDOW_DAYS,
  excusedDays: STANDING_EXCUSED_DAYS,
  voterDays: STANDING_VOTER_DAYS,
  decisionMinDays: DECISION_MIN_DAYS,
  rhythm: RHYTHM,
});
