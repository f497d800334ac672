import { expect, test } from 'vitest';
import * as constants from './constants.ts';

/** Expected values as the clauses state them: code and other tests use the names, and would follow a wrong number. */
const FIXED: Array<[clause: string, values: Partial<typeof constants>]> = [
  [
    '25 votes in six hours, 10 tokens each [S9.1 S9.2]',
    { VOTES_PER_WINDOW: 25, VOTE_WINDOW_HOURS: 6, VOTE_REWARD_TOKENS: 10 },
  ],
  ['60 changes in any six hours [R57]', { CHANGES_PER_WINDOW: 60, CHANGE_WINDOW_HOURS: 6 }],
  [
    'threshold, lock, pop-up and stack of the deck [S9.3]',
    { SWIPE_THRESHOLD_PX: 100, VOTE_LOCK_MS: 300, REWARD_POPUP_MS: 2000, STACK_CARDS: 3 },
  ],
  [
    'polls [S9.4]',
    {
      POLL_STATS_MS: 5000,
      POLL_VOTING_STATUS_MS: 5000,
      POLL_LEADERBOARD_MS: 30_000,
      POLL_TOP_PROJECTS_MS: 30_000,
      POLL_REVIEWS_MS: 10_000,
    },
  ],
  [
    'fees in MIST, listings of 31 days [S9.5]',
    {
      SUBMIT_FEE_MIST: 15_000_000_000n,
      UPDATE_FEE_MIST: 5_000_000_000n,
      RENEW_FEE_MIST: 15_000_000_000n,
      MIST_PER_SUI: 1_000_000_000n,
      LISTING_DAYS: 31,
    },
  ],
  ['withdrawals from 50 tokens [S9.6]', { MIN_WITHDRAWAL_TOKENS: 50 }],
  [
    'what a review costs, and how long texts are [S9.7]',
    { REVIEW_COST_TOKENS: 10_000, REVIEW_MAX_CHARS: 200, DESCRIPTION_MAX_CHARS: 200 },
  ],
  [
    'lengths of short lists [S9.8]',
    { SIDEBAR_REVIEWS: 3, SIDEBAR_TOP_PROJECTS: 3, LANDING_EXAMPLES: 3, RECENT_VOTES: 3 },
  ],
  ['colors of percentages [S9.9]', { GREEN_FROM_PERCENT: 70, YELLOW_FROM_PERCENT: 50 }],
  ['prices of plans [S9.10]', { PLAN_PRICES_SUI: { basic: 10, pro: 25, elite: 50 } }],
  ['the redirect after a submission [S9.11]', { SUBMIT_REDIRECT_MS: 2000 }],
  ['shortened addresses [S9.12]', { ADDRESS_HEAD_CHARS: 6, ADDRESS_TAIL_CHARS: 4 }],
  [
    'toasts [S9.14]',
    {
      TOAST_LIMIT: 1,
      TOAST_DURATION_MS: 5000,
      TOAST_REMOVE_DELAY_MS: 1_000_000,
      TOAST_SWIPE_THRESHOLD_PX: 50,
      TOAST_HOTKEY: 'F8',
    },
  ],
  [
    'sessions and the locked admin login [R1 R31]',
    { SESSION_DAYS: 30, ADMIN_SESSION_HOURS: 8, ADMIN_PASSWORD_ATTEMPTS: 5, ADMIN_LOCKOUT_MINUTES: 15 },
  ],
  ['limits of the SQL console [R32]', { SQL_TIMEOUT_MS: 5000, SQL_MAX_ROWS: 1000 }],
  [
    'limits of usernames and pictures [R29 R25]',
    { USERNAME_MIN_CHARS: 3, USERNAME_MAX_CHARS: 24, IMAGE_MAX_BYTES: 10_485_760 },
  ],
  [
    'both lists of categories, and their union [S3.15 R24]',
    {
      SUBMIT_CATEGORIES: ['DeFi', 'NFT', 'Gaming', 'Meme', 'Infrastructure', 'DAO', 'Other'],
      UPDATE_CATEGORIES: ['DeFi', 'NFT', 'Gaming', 'Infrastructure', 'Social', 'Other'],
      CATEGORIES: ['DeFi', 'NFT', 'Gaming', 'Meme', 'Infrastructure', 'DAO', 'Social', 'Other'],
    },
  ],
];

test.each(FIXED)('%s', (_, values) => expect(constants).toMatchObject(values));

test('numbers derived from hours and days have their length', () => {
  const hourMs = 60 * 60 * 1000;
  expect(constants.VOTE_WINDOW_MS).toBe(6 * hourMs);
  expect(constants.LISTING_MS).toBe(31 * 24 * hourMs);
  expect(constants.CHALLENGE_TTL_MS).toBe(hourMs / 12);
});
