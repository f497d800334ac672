/** Every number and limit of the specification, once. Durations carry their unit in the name. */

export const PRODUCT = 'snapswipe';

export const VOTES_PER_WINDOW = 25;
export const VOTE_WINDOW_HOURS = 6;
export const VOTE_WINDOW_MS = VOTE_WINDOW_HOURS * 3_600_000;
/** The page offers to undo a vote this long (R46). */
export const UNDO_WINDOW_MS = 5_000;
/** The server takes an undo, and hides the result, this much longer: the network may be slow (R59). */
export const UNDO_GRACE_MS = 3_000;
/** A vote can be changed or confirmed this long after the opinion before, and once a UTC day (R57). */
export const CHANGE_PAUSE_MS = 60_000;
/** Maximum changes and confirmations of a user in this many hours, outside the window of votes (R57). */
export const CHANGES_PER_WINDOW = 60;
export const CHANGE_WINDOW_HOURS = 6;
/** Votes that a user may undo in this many hours (R59); db/functions/undo_vote.sql has the same numbers. */
export const UNDOS_PER_WINDOW = 10;
export const UNDO_WINDOW_HOURS = 6;
export const VOTE_REWARD_TOKENS = 10;
export const CONGRATULATION_TOKENS = 1000;
export const SWIPE_THRESHOLD_PX = 100;
export const VOTE_LOCK_MS = 300;
export const REWARD_POPUP_MS = 2000;
export const STACK_CARDS = 3;
export const FEED_LIMIT = 50;
/** Cards that the page first requests, and the number that it adds when they run out. */
export const FEED_FIRST_CARDS = 10;

export const POLL_STATS_MS = 5_000;
export const POLL_VOTING_STATUS_MS = 5_000;
export const POLL_LEADERBOARD_MS = 30_000;
export const POLL_TOP_PROJECTS_MS = 30_000;
export const POLL_REVIEWS_MS = 10_000;

// Listings (S9.5); money is MIST, 1 SUI = 1e9 MIST
export const MIST_PER_SUI = 1_000_000_000n;
export const SUBMIT_FEE_MIST = 15n * MIST_PER_SUI;
export const UPDATE_FEE_MIST = 5n * MIST_PER_SUI;
export const RENEW_FEE_MIST = 15n * MIST_PER_SUI;
export const LISTING_DAYS = 31;
export const LISTING_MS = LISTING_DAYS * 86_400_000;
export const SUBMIT_REDIRECT_MS = 2_000;
export const PAYMENT_MAX_AGE_HOURS = 24;

export const MIN_WITHDRAWAL_TOKENS = 50;
export const REVIEW_COST_TOKENS = 10_000;
/** Burned for a sentence (R89). */
export const SENTENCE_COST_TOKENS = 100;
export const SENTENCE_MAX_CHARS = 80;
export const REVIEW_MAX_CHARS = 200;
export const REASON_MAX_CHARS = 300;
/** Days in which a lister can answer a claim (R72). */
export const CLAIM_ANSWER_DAYS = 7;
export const OPEN_REPORTS_PER_USER = 20;
export const APPEAL_MAX_CHARS = 500;
export const DESCRIPTION_MAX_CHARS = 200;
export const PROJECT_NAME_MAX_CHARS = 60;

export const SIDEBAR_REVIEWS = 3;
export const SIDEBAR_TOP_PROJECTS = 3;
export const LANDING_EXAMPLES = 3;
export const GUEST_CARDS = 3;
/** A visitor's votes wait this long in the browser: after about a listing period they would count on another one. */
export const GUEST_VOTE_DAYS = 30;
export const RECENT_VOTES = 3;
export const TOP_VOTERS = 10;
export const LEADERBOARD_FIRST_ROWS = 14;

/** Notices stored per user (R51). */
export const NOTICES_KEPT = 200;
/** Updates of a listing that can be paid for within 24 hours (R60). */
export const MAX_UPDATES_PER_DAY = 10;
export const EXPIRY_NOTICE_DAYS = 10;

export const GREEN_FROM_PERCENT = 70;
export const YELLOW_FROM_PERCENT = 50;
export const ADDRESS_HEAD_CHARS = 6;
export const ADDRESS_TAIL_CHARS = 4;

export const TOAST_LIMIT = 1;
export const TOAST_DURATION_MS = 5_000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_SWIPE_THRESHOLD_PX = 50;
export const TOAST_HOTKEY = 'F8';

export const CHALLENGE_TTL_MS = 5 * 60_000;
export const SESSION_DAYS = 30;
/** Live sessions of one user; a sign-in beyond the limit ends the session that was seen longest ago. */
export const SESSIONS_PER_USER = 20;
/** Minimum time between writes of a session's last-seen time. */
export const LAST_SEEN_EVERY_MS = 3_600_000;
export const SESSION_COOKIE = 'snapswipe_session';
export const ADMIN_SESSION_HOURS = 8;
export const ADMIN_PASSWORD_ATTEMPTS = 5;
export const ADMIN_LOCKOUT_MINUTES = 15;
export const PAYOUT_MAX_RECIPIENTS = 200;
export const SQL_TIMEOUT_MS = 5_000;
export const SQL_MAX_ROWS = 1_000;
export const SQL_MAX_CHARS = 100_000;
export const ADMIN_TOKEN_HEADER = 'x-admin-token';

export const SESSION_CACHE_KEY = `${PRODUCT}_user`;
export const THEME_KEY = 'theme';
export const WALLET_CONNECTION_KEY = 'sui-dapp-kit:wallet-connection-info';
export const ADMIN_TOKEN_KEY = `${PRODUCT}_admin_token`;
export const SQL_HISTORY_KEY = `${PRODUCT}_sql_history`;

export const USERNAME_MIN_CHARS = 3;
export const USERNAME_MAX_CHARS = 24;

export const IMAGE_MAX_BYTES = 10 * 1024 * 1024;
/**
 * A few kilobytes can contain any number of pixels, and decoding takes time and memory for each. AVIF takes the most.
 */
export const IMAGE_MAX_MEGAPIXELS = 25;
export const AVIF_MAX_MEGAPIXELS = 12.5;
export const IMAGE_WIDTHS_PX = [96, 192, 320, 640] as const;
export const PICTURE_MAX_BYTES = 90_000;
export const AVATAR_MAX_BYTES = 40_000;
export const PICTURE_UPLOADS_PER_HOUR = 30;
/** Maximum bytes of new pictures that a user may upload within an hour, as stored. */
export const PICTURE_BYTES_PER_HOUR = 235_000;

export const SUBMIT_CATEGORIES = ['DeFi', 'NFT', 'Gaming', 'Meme', 'Infrastructure', 'DAO', 'Other'] as const;
export const UPDATE_CATEGORIES = ['DeFi', 'NFT', 'Gaming', 'Infrastructure', 'Social', 'Other'] as const;
export const CATEGORIES = ['DeFi', 'NFT', 'Gaming', 'Meme', 'Infrastructure', 'DAO', 'Social', 'Other'] as const;
export type Category = (typeof CATEGORIES)[number];

export const PLAN_PRICES_SUI = { basic: 10, pro: 25, elite: 50 } as const;

export const SUI_NETWORKS = ['devnet', 'testnet', 'mainnet', 'localnet'] as const;
export type SuiNetwork = (typeof SUI_NETWORKS)[number];

export const WITHDRAWALS_PAUSED = 'WITHDRAWALS_PAUSED';

export const ARCHIVES_PER_DAY = 5;
