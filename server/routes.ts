import { accountRoutes } from './accounts/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { insightRoutes } from './insights/routes.ts';
import { dailyDeckRoutes } from './daily-deck/routes.ts';
import { leaderboardRoutes } from './leaderboard/routes.ts';
import { lookupRoutes } from './lookup/routes.ts';
import { openRoutes } from './open/routes.ts';
import { moderationRoutes } from './moderation/routes.ts';
import { noticeRoutes } from './notices/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { ownershipRoutes } from './ownership/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { paymentRoutes } from './payments/routes.ts';
import { payoutHistoryRoutes } from './payout-history/routes.ts';
import { payoutRoutes } from './payouts/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { pushRoutes } from './push/routes.ts';
import { recordRoutes } from './record/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { reviewRoutes } from './reviews/routes.ts';
import type { Route } from './http/declare.ts';
import { searchRoutes } from './search/routes.ts';
import { siteRoutes } from './site/routes.ts';
import { standingRoutes } from './standing/routes.ts';
import { supplyRoutes } from './supply/routes.ts';
import { trendRoutes } from './trends/routes.ts';
import { userRoutes } from './users/routes.ts';
import { versionRoutes } from './versions/routes.ts';
import { voteRoutes } from './votes/routes.ts';
import { payoutRuleRoutes } from './payout-rule/routes.ts';
import { withdrawalRoutes } from './withdrawals/routes.ts';

const ownRoutes: Route[] = [
  ...authRoutes,
  ...voteRoutes,
  ...projectRoutes,
  ...orderRoutes,
  ...paymentRoutes,
  ...reviewRoutes,
  ...reportRoutes,
  ...noticeRoutes,
  ...pushRoutes,
  ...userRoutes,
  ...accountRoutes,
  ...dailyDeckRoutes,
  ...leaderboardRoutes,
  ...insightRoutes,
  ...siteRoutes,
  ...trendRoutes,
  ...versionRoutes,
  ...catalogueRoutes,
  ...ownershipRoutes,
  ...lookupRoutes,
  ...searchRoutes,
  ...withdrawalRoutes,
  ...payoutRuleRoutes,
  ...standingRoutes,
  ...supplyRoutes,
  ...recordRoutes,
  ...adminRoutes,
  ...payoutRoutes,
  ...payoutHistoryRoutes,
  ...moderationRoutes,
  ...consoleRoutes,
  ...overviewRoutes,
];

/** Every endpoint of this server, in one list. */
export const allRoutes: Route[] = [...ownRoutes, ...openRoutes(ownRoutes)];
