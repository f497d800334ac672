/** The whole contract: every endpoint of the product by name. The only barrel in the code (docs/architecture.md). */
export * as admin from './admin.ts';
export * as auth from './auth.ts';
export * as insights from './insights.ts';
export * as dailyDeck from './daily-deck.ts';
export * as leaderboard from './leaderboard.ts';
export * as open from './open.ts';
export * as payments from './payments.ts';
export * as projects from './projects.ts';
export * as record from './record.ts';
export * as reviews from './reviews.ts';
export * as site from './site.ts';
export * as standing from './standing.ts';
export * as supply from './supply.ts';
export * as trends from './trends.ts';
export * as users from './users.ts';
export * as votes from './votes.ts';
export * as withdrawals from './withdrawals.ts';
